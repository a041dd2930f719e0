package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// describeGroupsAPI is DescribeGroups, for classic groups. Version 3 has the
// operations that are allowed, version 4 group.instance.id, version 5 is
// flexible, and version 6 says that a group does not exist, with a message.
func describeGroupsAPI() *api {
	return aboutGroups(api{key: 15, name: "DescribeGroups", min: 0, max: 6, flexibleFrom: 5}, splitDescribeGroups, joinDescribeGroups,
		`groups:[string] operations:bool@3+`)
}

func splitDescribeGroups(q *kmsg.DescribeGroupsRequest) []groupPart {
	return partOfEach(q.Groups, func(one []string) kmsg.Request {
		return &kmsg.DescribeGroupsRequest{Version: q.Version, Groups: one}
	})
}

func joinDescribeGroups(q *kmsg.DescribeGroupsRequest, parts []kmsg.Response) kmsg.Response {
	response := kmsg.NewPtrDescribeGroupsResponse()
	for _, part := range parts {
		for _, g := range part.(*kmsg.DescribeGroupsResponse).Groups {
			g.AuthorizedOperations = allowedOnGroup(q.IncludeAuthorizedOperations && g.ErrorCode == 0)
			response.Groups = append(response.Groups, g)
		}
	}
	return response
}
