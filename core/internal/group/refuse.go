package group

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/offsets"
)

// Refuse answers a request about groups with an error and nothing else.
func Refuse(q kmsg.Request, kind *kerr.Error) kmsg.Response {
	switch q := q.(type) {
	case *kmsg.OffsetCommitRequest:
		return refuseCommit(q, kind)
	case *kmsg.OffsetFetchRequest:
		response := kmsg.NewPtrOffsetFetchResponse()
		for i := range q.Groups {
			response.Groups = append(response.Groups, offsets.RefuseFetch(&q.Groups[i], kind))
		}
		return response
	case *kmsg.DescribeGroupsRequest:
		response := kmsg.NewPtrDescribeGroupsResponse()
		for _, id := range q.Groups {
			g := kmsg.NewDescribeGroupsResponseGroup()
			g.Group, g.ErrorCode = id, kind.Code
			response.Groups = append(response.Groups, g)
		}
		return response
	case *kmsg.ConsumerGroupDescribeRequest:
		response := kmsg.NewPtrConsumerGroupDescribeResponse()
		for _, id := range q.Groups {
			g := kmsg.NewConsumerGroupDescribeResponseGroup()
			g.Group, g.ErrorCode = id, kind.Code
			response.Groups = append(response.Groups, g)
		}
		return response
	case *kmsg.DeleteGroupsRequest:
		response := kmsg.NewPtrDeleteGroupsResponse()
		for _, id := range q.Groups {
			g := kmsg.NewDeleteGroupsResponseGroup()
			g.Group, g.ErrorCode = id, kind.Code
			response.Groups = append(response.Groups, g)
		}
		return response
	}
	return refuseWhole(q, kind)
}

// refuseWhole is for requests whose answers have one code.
func refuseWhole(q kmsg.Request, kind *kerr.Error) kmsg.Response {
	switch q := q.(type) {
	case *kmsg.JoinGroupRequest:
		response := kmsg.NewPtrJoinGroupResponse()
		response.MemberID, response.ErrorCode, response.Generation = q.MemberID, kind.Code, -1
		return response
	case *kmsg.SyncGroupRequest:
		response := kmsg.NewPtrSyncGroupResponse()
		response.ErrorCode = kind.Code
		return response
	case *kmsg.HeartbeatRequest:
		response := kmsg.NewPtrHeartbeatResponse()
		response.ErrorCode = kind.Code
		return response
	case *kmsg.LeaveGroupRequest:
		response := kmsg.NewPtrLeaveGroupResponse()
		response.ErrorCode = kind.Code
		return response
	case *kmsg.ConsumerGroupHeartbeatRequest:
		response := kmsg.NewPtrConsumerGroupHeartbeatResponse()
		response.ErrorCode = kind.Code
		return response
	case *kmsg.OffsetDeleteRequest:
		response := kmsg.NewPtrOffsetDeleteResponse()
		response.ErrorCode = kind.Code
		return response
	}
	return q.ResponseKind()
}

// refuseCommit has the code at each partition.
func refuseCommit(q *kmsg.OffsetCommitRequest, kind *kerr.Error) *kmsg.OffsetCommitResponse {
	response := kmsg.NewPtrOffsetCommitResponse()
	for _, t := range q.Topics {
		topic := kmsg.OffsetCommitResponseTopic{Topic: t.Topic, TopicID: t.TopicID}
		for _, p := range t.Partitions {
			topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitResponseTopicPartition{Partition: p.Partition, ErrorCode: kind.Code})
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}
