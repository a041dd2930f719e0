package group

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

func heartbeatOf(group, member string) *kmsg.ConsumerGroupHeartbeatRequest {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.RebalanceTimeoutMillis = 1, group, member, 45_000
	q.SubscribedTopicNames, q.Topics = []string{"t"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	return q
}

func joinOf(group, protocolType, protocol string) *kmsg.JoinGroupRequest {
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType = 9, group, protocolType
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = 10_000, 10_000
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: protocol}}
	return q
}

func commitOf(group, metadata string) *kmsg.OffsetCommitRequest {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.Generation = 9, group, -1
	q.Topics = []kmsg.OffsetCommitRequestTopic{{
		Topic: "t", Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Offset: 1, Metadata: &metadata}},
	}}
	return q
}

// codeOf is the first code in an answer.
func codeOf(t *testing.T, r kmsg.Response) int16 {
	switch r := r.(type) {
	case *kmsg.ConsumerGroupHeartbeatResponse:
		return r.ErrorCode
	case *kmsg.JoinGroupResponse:
		return r.ErrorCode
	case *kmsg.SyncGroupResponse:
		return r.ErrorCode
	case *kmsg.OffsetCommitResponse:
		return r.Topics[0].Partitions[0].ErrorCode
	}
	require.Fail(t, "unknown answer")
	return 0
}

func TestNamesThatTheLogHasNoRoomForAreRefused(t *testing.T) {
	long := strings.Repeat("x", math.MaxInt16+1)
	static := joinOf("g", "consumer", "range")
	static.InstanceID = &long
	tests := map[string]struct {
		from step.Client
		q    kmsg.Request
		want *kerr.Error
	}{
		"heartbeat, group":    {q: heartbeatOf(long, "m"), want: kerr.InvalidGroupID},
		"heartbeat, member":   {q: heartbeatOf("g", long), want: kerr.InvalidRequest},
		"join, group":         {q: joinOf(long, "consumer", "range"), want: kerr.InvalidGroupID},
		"join, protocol type": {q: joinOf("g", long, "range"), want: kerr.InvalidRequest},
		"join, protocol":      {q: joinOf("g", "consumer", long), want: kerr.InvalidRequest},
		"join, instance":      {q: static, want: kerr.InvalidRequest},
		"join, client":        {from: step.Client{ID: long[1:]}, q: joinOf("g", "consumer", "range"), want: kerr.InvalidRequest},
		"commit, group":       {q: commitOf(long, ""), want: kerr.InvalidGroupID},
		"commit, metadata":    {q: commitOf("g", long), want: kerr.OffsetMetadataTooLarge},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBroker()
			b.Config.OffsetMetadataMaxSize = math.MaxInt32
			b.Create("t", 1)
			m := replay(t, b, nil)
			out := m.Handle(1, 1, test.from, test.q)
			require.Len(t, out.Answers, 1)
			require.Equal(t, test.want.Code, codeOf(t, out.Answers[0].Response))
			require.Empty(t, out.Records)
		})
	}
}

func TestWhatAMemberHasKeptIsBounded(t *testing.T) {
	subscribed, metadata := heartbeatOf("g", "m"), joinOf("g", "consumer", "range")
	for size := 0; size <= mostOfMember; size += 249 {
		subscribed.SubscribedTopicNames = append(subscribed.SubscribedTopicNames, strings.Repeat("x", 249))
	}
	metadata.Protocols[0].Metadata = make([]byte, mostOfMember)
	assigned := kmsg.NewPtrSyncGroupRequest()
	assigned.Group, assigned.GroupAssignment = "g", []kmsg.SyncGroupRequestGroupAssignment{{MemberAssignment: make([]byte, mostAssigned+1)}}
	for q, want := range map[kmsg.Request]*kerr.Error{
		subscribed: kerr.InvalidRequest, metadata: kerr.InvalidRequest, assigned: kerr.UnknownServerError,
	} {
		out := replay(t, newBroker(), nil).Handle(1, 1, step.Client{}, q)
		require.Len(t, out.Answers, 1)
		require.Equal(t, want.Code, codeOf(t, out.Answers[0].Response))
		require.Empty(t, out.Records)
	}
}

// A group that has as much as it may takes no further member, and goes on.
func TestWhatAGroupHasKeptIsBounded(t *testing.T) {
	m := replay(t, newBroker(), nil)
	join := func(token step.Token) int16 {
		q := joinOf("g", "consumer", "range")
		q.Version, q.Protocols[0].Metadata = 3, make([]byte, mostOfMember-len("range"))
		out := m.Handle(1, token, step.Client{ID: "c"}, q)
		for _, a := range out.Answers {
			if a.To == token {
				return codeOf(t, a.Response)
			}
		}
		return 0 // it waits for the others
	}
	for n := range step.Token(16) {
		require.Zero(t, join(n))
	}
	require.Equal(t, kerr.GroupMaxSizeReached.Code, join(16))
	require.Equal(t, 16, m.groups["g"].classic.Size())
}

// A static member that comes back counts once.
func TestAMemberThatComesBackHasTheRoomThatItHad(t *testing.T) {
	m := replay(t, newBroker(), nil)
	for n := range step.Token(16) {
		q, instance := joinOf("g", "consumer", "range"), fmt.Sprint("i", n)
		q.Version, q.InstanceID, q.Protocols[0].Metadata = 9, &instance, make([]byte, mostOfMember-len("range"))
		for _, a := range m.Handle(1, n, step.Client{ID: "c"}, q).Answers {
			require.Zero(t, codeOf(t, a.Response))
		}
	}
	again, instance := joinOf("g", "consumer", "range"), "i3"
	again.InstanceID, again.Protocols[0].Metadata = &instance, make([]byte, mostOfMember-len("range"))
	for _, a := range m.Handle(1, 99, step.Client{ID: "c"}, again).Answers {
		if a.To == 99 {
			require.Zero(t, codeOf(t, a.Response))
		}
	}
	require.Equal(t, 16, m.groups["g"].classic.Size())
}

func TestTheLongestNamesCanBeReadAgain(t *testing.T) {
	long := strings.Repeat("x", longestName)
	b := newBroker()
	b.Config.OffsetMetadataMaxSize = math.MaxInt32
	b.Create("t", 1)
	m := replay(t, b, nil)
	out := m.Handle(1, 1, step.Client{}, commitOf(long, strings.Repeat("x", math.MaxInt16)))
	require.Zero(t, codeOf(t, out.Answers[0].Response))
	require.True(t, replay(t, b, out.Records).offsets.Has(long))

	out = m.Handle(1, 2, step.Client{}, heartbeatOf("g", long))
	require.Equal(t, 1, replay(t, b, out.Records).groups["g"].consumer.Members())
}
