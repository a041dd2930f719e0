package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// consumerGroupDescribeAPI is ConsumerGroupDescribe, for groups of KIP-848.
// Version 1 says of each member which protocol it uses.
func consumerGroupDescribeAPI() *api {
	return ofKIP848(aboutGroups(api{key: 69, name: "ConsumerGroupDescribe", min: 0, max: 1, flexibleFrom: 0},
		splitConsumerGroupDescribe, joinConsumerGroupDescribe, `groups:[string] operations:bool`))
}

func splitConsumerGroupDescribe(q *kmsg.ConsumerGroupDescribeRequest) []groupPart {
	return partOfEach(q.Groups, func(one []string) kmsg.Request {
		return &kmsg.ConsumerGroupDescribeRequest{Version: q.Version, Groups: one}
	})
}

func joinConsumerGroupDescribe(q *kmsg.ConsumerGroupDescribeRequest, parts []kmsg.Response) kmsg.Response {
	response := kmsg.NewPtrConsumerGroupDescribeResponse()
	for _, part := range parts {
		for _, g := range part.(*kmsg.ConsumerGroupDescribeResponse).Groups {
			g.AuthorizedOperations = allowedOnGroup(q.IncludeAuthorizedOperations && g.ErrorCode == 0)
			response.Groups = append(response.Groups, g)
		}
	}
	return response
}
