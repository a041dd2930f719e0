package grouplog

import (
	_ "embed"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

//go:embed testdata/kafka-4.4.0.txt
var recorded string

// golden is what a line of the recording says.
type golden struct {
	record Record
	// readOnly is set for what is not written so: older and newer versions, and
	// what the record leaves out.
	readOnly bool
}

var (
	topicOne = [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	topicTwo = [16]byte{17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32}
)

func TestRecordsAreKafkas(t *testing.T) {
	want := goldenRecords()
	for line := range strings.Lines(recorded) {
		words := strings.Fields(line)
		name, key, value := words[0], unhex(t, words[1]), unhex(t, words[2])
		t.Run(name, func(t *testing.T) {
			require.Contains(t, want, name)
			of := want[name]
			delete(want, name)
			got, err := Decode(key, value)
			require.NoError(t, err)
			require.Equal(t, of.record, got)
			if of.readOnly {
				return
			}
			_, ourKey, ourValue := Encode(nil, of.record)
			require.Equal(t, words[1], hex.EncodeToString(ourKey))
			require.Equal(t, value, ourValue)
		})
	}
	require.Empty(t, want, "Kafka recorded none of these")
}

// unhex returns nil for a tombstone's value.
func unhex(t *testing.T, word string) []byte {
	if word == "-" {
		return nil
	}
	b, err := hex.DecodeString(word)
	require.NoError(t, err)
	return b
}

func goldenRecords() map[string]golden {
	all := map[string]golden{}
	for _, some := range []map[string]golden{goldenOffsets(), goldenClassicGroups(), goldenGroups(), goldenMembers(), goldenAssignments()} {
		for name, one := range some {
			all[name] = one
		}
	}
	return all
}

func goldenOffsets() map[string]golden {
	key := OffsetKey{"group", "topic", 3}
	of := func(version int16, leaderEpoch int32, expires int64, topic [16]byte) Record {
		return Record{key, &Offset{kmsg.OffsetCommitValue{
			Version: version, Offset: 42, Metadata: "metadata", CommitTimestamp: 1700000000001,
			LeaderEpoch: leaderEpoch, ExpireTimestamp: expires, TopicID: topic,
		}}}
	}
	none := [16]byte{}
	return map[string]golden{
		"legacy-offset/0":           {of(0, -1, -1, none), true},
		"offset/0":                  {of(0, -1, -1, none), true},
		"offset/1":                  {of(1, -1, 1700000000002, none), false},
		"offset/2":                  {of(2, -1, -1, none), true},
		"offset/3":                  {of(3, 5, -1, none), true},
		"offset/4":                  {of(4, 5, -1, topicOne), false},
		"offset-written/4":          {of(4, 5, -1, topicOne), false},
		"offset-written-expiring/1": {of(1, -1, 1700000000002, none), false},
		"offset-plain/4":            {Record{key, &Offset{kmsg.OffsetCommitValue{Version: 4, LeaderEpoch: -1, ExpireTimestamp: -1}}}, false},
		"offset-gone":               {Delete(key), false},
	}
}

func goldenClassicGroups() map[string]golden {
	key := ClassicGroupKey{"group"}
	member := func(n string, rebalance, session int32, instance *string) kmsg.GroupMetadataValueMember {
		return kmsg.GroupMetadataValueMember{
			MemberID: "member" + n, InstanceID: instance, ClientID: "client" + n, ClientHost: "/10.0.0.1", RebalanceTimeoutMillis: rebalance,
			SessionTimeoutMillis: session, Subscription: []byte("subscription" + n), Assignment: []byte("assignment" + n),
		}
	}
	of := func(version int16, leader string, since int64, members ...kmsg.GroupMetadataValueMember) Record {
		return Record{key, &ClassicGroup{kmsg.GroupMetadataValue{
			Version: version, ProtocolType: "consumer", Generation: 7, Protocol: text("range"), Leader: text(leader), CurrentStateTimestamp: since, Members: members,
		}}}
	}
	two := func(version int16, since int64, rebalance1, rebalance2 int32, instance *string) Record {
		one, other := member("-1", rebalance1, 45000, instance), member("-2", rebalance2, 45001, nil)
		other.ClientHost = "/10.0.0.2"
		return of(version, "member-2", since, one, other)
	}
	return map[string]golden{
		"classic-group/0":         {two(0, -1, -1, -1, nil), true},
		"classic-group/1":         {two(1, -1, 300000, 300001, nil), true},
		"classic-group/2":         {two(2, 1700000000003, 300000, 300001, nil), true},
		"classic-group/3":         {two(3, 1700000000003, 300000, 300001, text("instance-1")), false},
		"classic-group/4":         {two(4, 1700000000003, 300000, 300001, text("instance-1")), true},
		"classic-group-written/3": {of(3, "member", 1700000000003, member("", 300000, 45000, text("instance"))), false},
		"classic-group-plain/3":   {Record{key, &ClassicGroup{kmsg.GroupMetadataValue{Version: 3, CurrentStateTimestamp: -1}}}, false},
		"classic-group-gone":      {Delete(key), false},
	}
}

func goldenGroups() map[string]golden {
	group, target, regex := ConsumerGroupKey{"group"}, TargetKey{"group"}, RegexKey{"group", "topic.*"}
	return map[string]golden{
		"group/0":                 {Record{group, &ConsumerGroup{Epoch: 9, MetadataHash: 0x2122232425262728}}, false},
		"group-plain/0":           {Record{group, &ConsumerGroup{}}, false},
		"group-gone":              {Delete(group), false},
		"partition-metadata/0":    {Record{Key: PartitionMetadataKey{"group"}}, true},
		"partition-metadata-gone": {Delete(PartitionMetadataKey{"group"}), false},
		"target/0":                {Record{target, &Target{Epoch: 11, Timestamp: 1700000000004}}, false},
		"target-plain/0":          {Record{target, &Target{}}, false},
		"target-gone":             {Delete(target), false},
		"regex/0":                 {Record{regex, &Regex{Topics: []string{"topic-1", "topic-2"}, Version: 15, Timestamp: 1700000000005}}, false},
		"regex-plain/0":           {Record{regex, &Regex{}}, false},
		"regex-gone":              {Delete(regex), false},
	}
}

func goldenMembers() map[string]golden {
	key := MemberKey{"group", "member"}
	of := func(classic *ClassicMember) Record {
		return Record{key, &Member{
			InstanceID: text("instance"), RackID: text("rack"), ClientID: "client", ClientHost: "/10.0.0.1",
			Topics: []string{"topic-1", "topic-2"}, Regex: text("topic.*"), RebalanceTimeoutMillis: 300000, ServerAssignor: text("uniform"), Classic: classic,
		}}
	}
	classic := &ClassicMember{45000, []ClassicProtocol{{"range", []byte("subscription-1")}, {"sticky", []byte("subscription-2")}}}
	written := &Member{ClientID: "client", ClientHost: "/10.0.0.1", Topics: []string{"topic-1", "topic-2"}, Regex: text(""), RebalanceTimeoutMillis: 300000}
	empty := &Member{InstanceID: text(""), RackID: text(""), Regex: text(""), RebalanceTimeoutMillis: -1, ServerAssignor: text("")}
	return map[string]golden{
		// Of neither does the record have the field of a classic member: releases from before there was one wrote so.
		"member/0":         {of(nil), true},
		"member-plain/0":   {Record{key, empty}, true},
		"member-classic/0": {of(classic), false},
		"member-written/0": {Record{key, written}, false},
		"member-gone":      {Delete(key), false},
	}
}

func goldenAssignments() map[string]golden {
	target, current := TargetMemberKey{"group", "member"}, CurrentKey{"group", "member"}
	in := func(topic [16]byte, partitions ...int32) TopicPartitions { return TopicPartitions{topic, partitions} }
	of := func(assigned, pending []AssignedPartitions) Record {
		return Record{current, &Current{Epoch: 13, PreviousEpoch: 12, State: 2, Assigned: assigned, PendingRevocation: pending}}
	}
	two, one, others := in(topicOne, 0, 7), in(topicTwo, 300), in(topicTwo, 301, 302)
	return map[string]golden{
		"target-member/0":       {Record{target, &TargetMember{[]TopicPartitions{two, one}}}, false},
		"target-member-plain/0": {Record{target, &TargetMember{}}, false},
		"target-member-gone":    {Delete(target), false},
		"current/0":             {of([]AssignedPartitions{{two, []int32{10, 11}}, {one, []int32{12}}}, []AssignedPartitions{{others, []int32{8, 9}}}), false},
		"current-written/0":     {of([]AssignedPartitions{{two, []int32{10, 11}}}, []AssignedPartitions{{one, []int32{9}}}), false},
		// Releases that did not note the epochs wrote so.
		"current-without-epochs/0": {of([]AssignedPartitions{{TopicPartitions: two}, {TopicPartitions: one}}, []AssignedPartitions{{TopicPartitions: others}}), false},
		"current-plain/0":          {Record{current, &Current{}}, false},
		"current-gone":             {Delete(current), false},
	}
}
