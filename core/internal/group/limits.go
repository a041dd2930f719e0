package group

import (
	"math"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// longestName is the most bytes that a name may have which becomes part of a
// record: its length is written in 16 bits there, while requests have room for
// more. A longer one would make a log that nobody can read again. It leaves 64
// bytes to the random part that a member id gets behind the name of its client.
const longestName = math.MaxInt16 - 64

// refuseLongNames looks at the requests that can make records out of names that
// are not known yet.
func refuseLongNames(from step.Client, q kmsg.Request) *kerr.Error {
	switch q := q.(type) {
	case *kmsg.OffsetCommitRequest:
		return checkNames(q.Group)
	case *kmsg.ConsumerGroupHeartbeatRequest:
		return checkNames(q.Group, q.MemberID, text(q.InstanceID))
	case *kmsg.JoinGroupRequest:
		names := []string{from.ID, q.MemberID, text(q.InstanceID), q.ProtocolType}
		for _, p := range q.Protocols {
			names = append(names, p.Name)
		}
		return checkNames(q.Group, names...)
	}
	return nil
}

func checkNames(group string, others ...string) *kerr.Error {
	if len(group) > longestName {
		return kerr.InvalidGroupID
	}
	for _, name := range others {
		if len(name) > longestName {
			return kerr.InvalidRequest
		}
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
