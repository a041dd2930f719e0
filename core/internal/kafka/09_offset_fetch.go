package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// offsetFetchAPI is OffsetFetch.
//
//	v2  all topics of a group, and an error for the whole
//	v6  flexible
//	v7  require stable: nothing is transactional yet, so all is
//	v8  several groups (KIP-709)
//	v9  members of KIP-848
//	v10 topic ids
//
// A version with one group is asked and answered as one with several that has
// one.
func offsetFetchAPI() *api {
	return aboutGroups(api{key: 9, name: "OffsetFetch", min: 1, max: 10, flexibleFrom: 6}, splitOffsetFetch, joinOffsetFetch,
		`group:string@0-7 topics:[name:string partitions:[int32]]?2+@0-7
		groups:[group:string member:string?@9+ epoch:int32@9+ topics:[name:string@0-9 id:uuid@10+ partitions:[int32]]?]@8+ stable:bool@7+`)
}

// severalGroupsSince is the first version with several groups.
const severalGroupsSince = 8

func splitOffsetFetch(q *kmsg.OffsetFetchRequest) []groupPart {
	groups := q.Groups
	if q.Version < severalGroupsSince {
		groups = []kmsg.OffsetFetchRequestGroup{onlyGroup(q)}
	}
	var parts []groupPart
	for _, g := range groups {
		part := &kmsg.OffsetFetchRequest{Version: q.Version, RequireStable: q.RequireStable, Groups: []kmsg.OffsetFetchRequestGroup{g}}
		parts = append(parts, groupPart{g.Group, part})
	}
	return parts
}

func onlyGroup(q *kmsg.OffsetFetchRequest) kmsg.OffsetFetchRequestGroup {
	g := kmsg.NewOffsetFetchRequestGroup()
	g.Group = q.Group
	if q.Topics != nil {
		g.Topics = []kmsg.OffsetFetchRequestGroupTopic{}
	}
	for _, t := range q.Topics {
		g.Topics = append(g.Topics, kmsg.OffsetFetchRequestGroupTopic{Topic: t.Topic, Partitions: t.Partitions})
	}
	return g
}

func joinOffsetFetch(q *kmsg.OffsetFetchRequest, parts []kmsg.Response) kmsg.Response {
	response := kmsg.NewPtrOffsetFetchResponse()
	for _, part := range parts {
		response.Groups = append(response.Groups, part.(*kmsg.OffsetFetchResponse).Groups...)
	}
	if q.Version >= severalGroupsSince {
		return response
	}
	only := response.Groups[0]
	response.Groups, response.ErrorCode = nil, only.ErrorCode
	for _, t := range only.Topics {
		response.Topics = append(response.Topics, onlyTopic(t))
	}
	if only.ErrorCode != 0 && q.Version < 2 {
		response.Topics = refusedTopics(q, only.ErrorCode)
	}
	return response
}

func onlyTopic(t kmsg.OffsetFetchResponseGroupTopic) kmsg.OffsetFetchResponseTopic {
	topic := kmsg.NewOffsetFetchResponseTopic()
	topic.Topic = t.Topic
	for _, p := range t.Partitions {
		topic.Partitions = append(topic.Partitions, kmsg.OffsetFetchResponseTopicPartition{
			Partition: p.Partition, Offset: p.Offset, LeaderEpoch: p.LeaderEpoch, Metadata: p.Metadata, ErrorCode: p.ErrorCode,
		})
	}
	return topic
}

// refusedTopics has the error at each partition: version 1 has it nowhere else.
func refusedTopics(q *kmsg.OffsetFetchRequest, code int16) []kmsg.OffsetFetchResponseTopic {
	var topics []kmsg.OffsetFetchResponseTopic
	for _, t := range q.Topics {
		topic := kmsg.NewOffsetFetchResponseTopic()
		topic.Topic = t.Topic
		for _, number := range t.Partitions {
			empty := ""
			topic.Partitions = append(topic.Partitions, kmsg.OffsetFetchResponseTopicPartition{
				Partition: number, Offset: -1, LeaderEpoch: -1, Metadata: &empty, ErrorCode: code,
			})
		}
		topics = append(topics, topic)
	}
	return topics
}
