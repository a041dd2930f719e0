package group

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
)

// answer writes a response.
func (b *broker) answer(response kmsg.Response) string {
	if text, classic := grouptest.ClassicAnswer(response); classic {
		return text
	}
	switch r := response.(type) {
	case *kmsg.ConsumerGroupHeartbeatResponse:
		return b.heartbeatAnswer(r)
	case *kmsg.OffsetDeleteResponse:
		text := "deleted " + grouptest.Code(r.ErrorCode)
		for _, t := range r.Topics {
			for _, p := range t.Partitions {
				text += fmt.Sprintf(" %s-%d:%s", t.Topic, p.Partition, grouptest.Code(p.ErrorCode))
			}
		}
		return text
	case *kmsg.DeleteGroupsResponse:
		var groups []string
		for _, g := range r.Groups {
			groups = append(groups, g.Group+":"+grouptest.Code(g.ErrorCode)+message(g.ErrorMessage))
		}
		return strings.Join(groups, " ")
	}
	return b.groupsAnswer(response)
}

func message(m *string) string {
	if m == nil {
		return ""
	}
	return " (" + *m + ")"
}

func (b *broker) heartbeatAnswer(r *kmsg.ConsumerGroupHeartbeatResponse) string {
	if r.ErrorCode != 0 {
		return grouptest.Code(r.ErrorCode) + message(r.ErrorMessage)
	}
	text := fmt.Sprintf("member=%s epoch=%d", *r.MemberID, r.MemberEpoch)
	if r.Assignment != nil {
		text += " has"
		for _, t := range r.Assignment.Topics {
			text += fmt.Sprintf(" %s%v", b.topic(t.TopicID), t.Partitions)
		}
	}
	if every := r.HeartbeatIntervalMillis; every > 0 && every != b.Config.ConsumerHeartbeatIntervalMs {
		text += fmt.Sprintf(", to be heard of every %d ms", every)
	}
	return text
}

func (b *broker) groupsAnswer(response kmsg.Response) string {
	var text string
	switch r := response.(type) {
	case *kmsg.OffsetCommitResponse:
		text = "committed"
		for _, t := range r.Topics {
			for _, p := range t.Partitions {
				text += fmt.Sprintf(" %s-%d:%s", b.told(t.Topic, t.TopicID), p.Partition, grouptest.Code(p.ErrorCode))
			}
		}
	case *kmsg.OffsetFetchResponse:
		g := r.Groups[0]
		text = "fetched " + grouptest.Code(g.ErrorCode)
		for _, t := range g.Topics {
			for _, p := range t.Partitions {
				text += fmt.Sprintf(" %s-%d=%d", b.told(t.Topic, t.TopicID), p.Partition, p.Offset)
				if p.LeaderEpoch >= 0 || *p.Metadata != "" {
					text += fmt.Sprintf("/%d%q", p.LeaderEpoch, *p.Metadata)
				}
				if p.ErrorCode != 0 {
					text += ":" + grouptest.Code(p.ErrorCode)
				}
			}
		}
	case *kmsg.DescribeGroupsResponse:
		for _, g := range r.Groups {
			text += fmt.Sprintf("%s %s%s %s type=%q protocol=%q members=%d; ", g.Group, grouptest.Code(g.ErrorCode), message(g.ErrorMessage),
				g.State, g.ProtocolType, g.Protocol, len(g.Members))
		}
	case *kmsg.ConsumerGroupDescribeResponse:
		for _, g := range r.Groups {
			text += fmt.Sprintf("%s %s%s %s epoch=%d members=%d; ", g.Group, grouptest.Code(g.ErrorCode), message(g.ErrorMessage), g.State, g.Epoch, len(g.Members))
		}
	default:
		return fmt.Sprintf("%T", response)
	}
	return strings.TrimSuffix(text, "; ")
}

// told shows whether a topic has its name or its id in a response.
func (b *broker) told(name string, id [16]byte) string {
	if name == "" {
		return "id of " + b.topic(id)
	}
	return name
}
