package group

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
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

// sixteenth is what 16 members can say of themselves beside their names.
var sixteenth = make([]byte, mostOfMember-1024)

// codeTo is the code in the answer to one request, 0 if it waits for others.
func codeTo(t *testing.T, to step.Token, out step.Output) int16 {
	for _, a := range out.Answers {
		if a.To == to {
			return codeOf(t, a.Response)
		}
	}
	return 0
}

// A group that has as much as it may takes no further member, and goes on.
func TestWhatAGroupHasKeptIsBounded(t *testing.T) {
	m := replay(t, newBroker(), nil)
	join := func(token step.Token) int16 {
		q := joinOf("g", "consumer", "range")
		q.Version, q.Protocols[0].Metadata = 3, sixteenth
		return codeTo(t, token, m.Handle(1, token, step.Client{ID: "c"}, q))
	}
	for n := range step.Token(16) {
		require.Zero(t, join(n))
	}
	require.Equal(t, kerr.GroupMaxSizeReached.Code, join(16))
	require.Equal(t, 16, m.groups["g"].classic.Size())
}

// fill has clients with long names join a group until it takes no more.
func fill(t *testing.T, m *Machine, version int16) (joined int, last int16) {
	from := step.Client{ID: strings.Repeat("x", 32_000), Host: "/10.0.0.1"}
	for n := range step.Token(2000) {
		q := joinOf("g", "consumer", "range")
		q.Version = version
		last = codeTo(t, n, m.Handle(1, n, from, q))
		if last == kerr.GroupMaxSizeReached.Code {
			return int(n), last
		}
	}
	return 2000, last
}

// The name of a client is in its member id, which is kept until its session is
// over, whether it comes back with it or not.
func TestIDsOfClientsThatDoNotComeBackAreBounded(t *testing.T) {
	m := replay(t, newBroker(), nil)
	given, last := fill(t, m, 5)
	require.Equal(t, kerr.GroupMaxSizeReached.Code, last)
	require.Less(t, given, 16<<20/32_000)
	require.Greater(t, given, 500)

	m.Tick(1 + 10_000)
	again, _ := fill(t, m, 5)
	require.Equal(t, given, again)
}

// A member is kept with its id and the name of its client.
func TestNamesOfMembersAreBounded(t *testing.T) {
	b := newBroker()
	b.Config.MaxSize = math.MaxInt32
	m := replay(t, b, nil)
	joined, last := fill(t, m, 3)
	require.Equal(t, kerr.GroupMaxSizeReached.Code, last)
	require.Less(t, joined, 16<<20/64_000)
	require.Equal(t, joined, m.groups["g"].classic.Size())
}

// static joins a member with an instance id.
func static(t *testing.T, m *Machine, to step.Token, instance string) step.Output {
	q := joinOf("g", "consumer", "range")
	q.InstanceID, q.Protocols[0].Metadata = &instance, sixteenth
	out := m.Handle(1, to, step.Client{ID: "c"}, q)
	require.Zero(t, codeTo(t, to, out))
	return out
}

// A static member that comes back counts once.
func TestAMemberThatComesBackHasTheRoomThatItHad(t *testing.T) {
	m := replay(t, newBroker(), nil)
	for n := range step.Token(16) {
		static(t, m, n, fmt.Sprint("i", n))
	}
	static(t, m, 99, "i3")
	require.Equal(t, 16, m.groups["g"].classic.Size())
}

// Who says that it is two members is fenced, however full the group is: neither
// loses its place.
func TestAMemberIsFencedInAGroupThatIsFull(t *testing.T) {
	m := replay(t, newBroker(), nil)
	for n := range step.Token(16) {
		static(t, m, n, fmt.Sprint("i", n))
	}
	small := joinOf("g", "consumer", "range")
	small.Version = 3
	require.Zero(t, codeTo(t, 16, m.Handle(1, 16, step.Client{ID: "c"}, small)))

	members, other := m.groups["g"].classic.Members(), "i3"
	require.Len(t, members, 17)
	both := joinOf("g", "consumer", "range")
	both.MemberID, both.InstanceID, both.Protocols[0].Metadata = members[16].ID, &other, sixteenth
	require.Equal(t, kerr.FencedInstanceID.Code, codeTo(t, 17, m.Handle(1, 17, step.Client{ID: "c"}, both)))
	require.Equal(t, 17, m.groups["g"].classic.Size())
}

// A group of KIP-848 becomes a classic one only when that has room for it.
func TestAGroupThatIsTooLargeForAClassicOneStaysWhatItIs(t *testing.T) {
	m := replay(t, newBroker(), nil)
	m.Handle(1, 0, step.Client{}, heartbeatOf("g", "k"))
	said := kmsg.NewConsumerMemberMetadata()
	said.UserData = sixteenth[1024:]
	for n := range step.Token(17) {
		q, instance := joinOf("g", "consumer", "range"), fmt.Sprint("i", n)
		q.InstanceID, q.Protocols[0].Metadata = &instance, said.AppendTo(nil)
		require.Zero(t, codeTo(t, n+1, m.Handle(1, n+1, step.Client{ID: "c"}, q)))
	}
	leave := heartbeatOf("g", "k")
	leave.MemberEpoch = -1
	require.Zero(t, codeTo(t, 18, m.Handle(1, 18, step.Client{}, leave)))
	require.Equal(t, 17, m.groups["g"].consumer.Members())

	m.Handle(1, 19, step.Client{}, grouptest.Leave("g", grouptest.Args{"members": "/i3"}))
	require.Nil(t, m.groups["g"].consumer)
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
