package group

import (
	"math"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/step"
)

// longestName is the most bytes that a name may have which becomes part of a
// record: its length is written in 16 bits there, while requests have room for
// more. A longer one would make a log that nobody can read again. It leaves room
// for the random part that a member id gets behind the name of its client.
const longestName = math.MaxInt16 - classic.RandomPart

// What one member has its group keep is bounded, since it could otherwise take as
// much as a request may have, and one record all that a segment has room for.
// Kafka bounds it by the largest record that it writes, 1 MB for all of a group.
// What all of a classic group have it keep, with the ids that were given to
// clients that are yet to join, is bounded by package classic; Kafka does not
// count such ids. A group of KIP-848 has as many members as
// group.consumer.max.size lets it have, each in records of its own.
//
// The number of groups is bounded by time alone, as in Kafka. One that was made
// for a client that did not come back is deleted when offsets are next looked at,
// after offsets.retention.check.interval.ms, and the id with it.
const (
	// mostOfMember is for the subscription of one member, in bytes.
	mostOfMember = 1 << 20
	// mostAssigned is for what a leader assigns to all members.
	mostAssigned = 16 << 20
)

// refuse looks at the requests that can make records which are too large.
func refuse(from step.Client, q kmsg.Request) *kerr.Error {
	if kind := refuseLongNames(from, q); kind != nil {
		return kind
	}
	switch q := q.(type) {
	case *kmsg.ConsumerGroupHeartbeatRequest:
		size := 0
		for _, name := range q.SubscribedTopicNames {
			size += len(name)
		}
		if size > mostOfMember {
			return kerr.InvalidRequest
		}
	case *kmsg.JoinGroupRequest:
		if classic.SizeOf(q.Protocols) > mostOfMember {
			return kerr.InvalidRequest
		}
	case *kmsg.SyncGroupRequest:
		size := 0
		for _, a := range q.GroupAssignment {
			size += len(a.MemberID) + len(a.MemberAssignment)
		}
		if size > mostAssigned {
			return kerr.UnknownServerError // as Kafka, when the record is too large
		}
	}
	return nil
}

// refuseLongNames looks at the requests that can make records out of names that
// are not known yet.
func refuseLongNames(from step.Client, q kmsg.Request) *kerr.Error {
	switch q := q.(type) {
	case *kmsg.OffsetCommitRequest:
		return checkNames(q.Group)
	case *kmsg.ConsumerGroupHeartbeatRequest:
		return checkNames(q.Group, q.MemberID, text(q.InstanceID))
	case *kmsg.JoinGroupRequest:
		if kind := checkNames(q.Group, from.ID, q.MemberID, text(q.InstanceID), q.ProtocolType); kind != nil {
			return kind
		}
		for _, p := range q.Protocols {
			if len(p.Name) > longestName {
				return kerr.InvalidRequest
			}
		}
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
