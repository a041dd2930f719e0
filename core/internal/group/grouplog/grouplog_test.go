package grouplog

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func text(s string) *string { return &s }

// samples has each key with a value in which nothing is left at zero, and with
// one in which everything is.
func samples() []Record {
	id := [16]byte{1, 2, 15: 3}
	two := TopicPartitions{TopicID: id, Partitions: []int32{0, 7}}
	return []Record{
		{OffsetKey{"g", "t", 3}, &Offset{kmsg.OffsetCommitValue{
			Version: 4, Offset: 42, LeaderEpoch: 5, Metadata: "m", CommitTimestamp: 17, ExpireTimestamp: -1, TopicID: id,
		}}},
		{OffsetKey{"g", "t", 4}, &Offset{kmsg.OffsetCommitValue{Version: 4, ExpireTimestamp: -1}}},
		{OffsetKey{"g", "t", 5}, &Offset{kmsg.OffsetCommitValue{Version: 1, Offset: 1, LeaderEpoch: -1, CommitTimestamp: 17, ExpireTimestamp: 19}}},
		{ClassicGroupKey{"g"}, &ClassicGroup{kmsg.GroupMetadataValue{
			Version: 3, ProtocolType: "consumer", Generation: 3, Protocol: text("range"), Leader: text("a"), CurrentStateTimestamp: 9,
			Members: []kmsg.GroupMetadataValueMember{{
				MemberID: "a", InstanceID: text("i"), ClientID: "c", ClientHost: "/h",
				RebalanceTimeoutMillis: 1, SessionTimeoutMillis: 2, Subscription: []byte("s"), Assignment: []byte("p"),
			}},
		}}},
		{ConsumerGroupKey{"g"}, &ConsumerGroup{Epoch: 3, MetadataHash: -8}},
		{ConsumerGroupKey{"g"}, &ConsumerGroup{}},
		{MemberKey{"g", "m"}, &Member{
			InstanceID: text("i"), RackID: text("r"), ClientID: "c", ClientHost: "/h", Topics: []string{"a", "b"}, Regex: text("a.*"),
			RebalanceTimeoutMillis: 5, ServerAssignor: text("uniform"),
			Classic: &ClassicMember{SessionTimeoutMillis: 6, Protocols: []ClassicProtocol{{"range", []byte("x")}}},
		}},
		{MemberKey{"g", "m"}, &Member{}},
		{TargetKey{"g"}, &Target{Epoch: 1, Timestamp: 2}},
		{TargetKey{"g"}, &Target{}},
		{TargetMemberKey{"g", "m"}, &TargetMember{[]TopicPartitions{two}}},
		{TargetMemberKey{"g", "m"}, &TargetMember{}},
		{CurrentKey{"g", "m"}, &Current{
			Epoch: 4, PreviousEpoch: 3, State: 1,
			Assigned: []AssignedPartitions{{two, []int32{3, 4}}}, PendingRevocation: []AssignedPartitions{{TopicPartitions: two}},
		}},
		{CurrentKey{"g", "m"}, &Current{}},
		{RegexKey{"g", "a.*"}, &Regex{Topics: []string{"a"}, Version: 1, Timestamp: 2}},
		{RegexKey{"g", "a.*"}, &Regex{}},
		Delete(OffsetKey{"g", "t", 3}),
		Delete(CurrentKey{"g", "m"}),
	}
}

func TestRecordsComeBack(t *testing.T) {
	for _, want := range samples() {
		_, key, value := Encode(nil, want)
		got, err := Decode(key, value)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// Every cut is told from the whole, since a cut value would be another value.
func TestCutRecordsAreRefused(t *testing.T) {
	for _, r := range samples() {
		_, key, value := Encode(nil, r)
		for n := range key {
			_, err := Decode(key[:n], value)
			require.Error(t, err, "%#v cut to %d", r.Key, n)
		}
		for n := range value {
			_, err := Decode(key, value[:n])
			require.Error(t, err, "%#v with a value cut to %d of %d", r, n, len(value))
		}
	}
}

func TestUnknownTypesAreToldApart(t *testing.T) {
	_, err := Decode([]byte{0, 10, 0, 1, 'g'}, nil)
	require.ErrorIs(t, err, ErrUnknownType)
	_, err = Decode([]byte{0}, nil)
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrUnknownType)
}

func TestUnknownVersionsAreRefused(t *testing.T) {
	for _, r := range samples() {
		_, key, value := Encode(nil, r)
		if value == nil {
			continue
		}
		value[1] = 9
		_, err := Decode(key, value)
		require.ErrorContains(t, err, "version 9 is unknown")
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range samples() {
		_, key, value := Encode(nil, r)
		f.Add(key, value)
	}
	f.Fuzz(func(t *testing.T, key, value []byte) {
		r, err := Decode(key, value)
		if err != nil || r.Value == nil {
			return
		}
		_, key, value = Encode(nil, r)
		again, err := Decode(key, value)
		require.NoError(t, err)
		require.Equal(t, r.Key, again.Key)
	})
}
