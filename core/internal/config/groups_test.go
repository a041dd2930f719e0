package config

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAGroupsOwnConfigsGoFirst(t *testing.T) {
	b, errs := Build(map[string]string{"group.consumer.session.timeout.ms": "50000", "offsets.retention.minutes": "2"})
	require.Empty(t, errs)
	require.EqualValues(t, 120_000, b.Groups.OffsetsRetentionMs)
	g := b.Group(nil)
	require.EqualValues(t, 50000, g.ConsumerSessionTimeoutMs)
	require.Equal(t, []string{"uniform", "range"}, g.ConsumerAssignors)
	g = b.Group(map[string]string{"consumer.session.timeout.ms": "55000", "consumer.heartbeat.interval.ms": "x", "unknown": "1"})
	require.EqualValues(t, 55000, g.ConsumerSessionTimeoutMs)
	require.EqualValues(t, 5000, g.ConsumerHeartbeatIntervalMs)
	g = b.Group(map[string]string{"consumer.session.timeout.ms": "99000"})
	require.EqualValues(t, 60000, g.ConsumerSessionTimeoutMs, "the broker's bounds hold for what was set under others")
}

func TestCheckGroup(t *testing.T) {
	b := Default()
	for name, test := range map[string]struct {
		set  map[string]string
		want string
	}{
		"nothing":      {nil, ""},
		"allowed":      {map[string]string{"consumer.session.timeout.ms": "45000", "share.isolation.level": "read_committed"}, ""},
		"unknown":      {map[string]string{"consumer.session.timeout": "1"}, "consumer.session.timeout.ms"},
		"no number":    {map[string]string{"consumer.session.timeout.ms": "soon"}, "soon"},
		"too short":    {map[string]string{"consumer.session.timeout.ms": "44999"}, "from 45000 to 60000"},
		"too long":     {map[string]string{"consumer.heartbeat.interval.ms": "15001"}, "from 5000 to 15000"},
		"share lock":   {map[string]string{"share.record.lock.duration.ms": "70000"}, "from 15000 to 60000"},
		"standby":      {map[string]string{"streams.num.standby.replicas": "3"}, "from 0 to 2"},
		"no limits":    {map[string]string{"streams.initial.rebalance.delay.ms": "700000", "share.auto.offset.reset": "by_duration:PT1H"}, ""},
		"sometime":     {map[string]string{"share.auto.offset.reset": "sometime"}, "by_duration"},
		"no duration":  {map[string]string{"share.auto.offset.reset": "by_duration:PT"}, "by_duration"},
		"internal":     {map[string]string{"errors.deadletterqueue.topic.name": "__dlq"}, "begin with __"},
		"out of order": {map[string]string{"consumer.assignment.interval.ms": "-1"}, "consumer.assignment.interval.ms"},
	} {
		err := b.CheckGroup(test.set)
		if test.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, test.want, name)
		}
	}
	b, errs := Build(map[string]string{"group.consumer.min.session.timeout.ms": "1000", "group.consumer.max.heartbeat.interval.ms": "15000"})
	require.Empty(t, errs)
	require.ErrorContains(t, b.CheckGroup(map[string]string{"consumer.session.timeout.ms": "5000"}), "more than consumer.heartbeat.interval.ms, which is 5000")
}

func TestTheBrokersOwnValuesOfConsumerGroupsGoTogether(t *testing.T) {
	for name, test := range map[string]struct {
		set  map[string]string
		want string
	}{
		"shorter together": {map[string]string{"session.timeout.ms": "6000", "min.session.timeout.ms": "6000"}, ""},
		"session too short": {map[string]string{"session.timeout.ms": "44999"},
			`group.consumer.session.timeout.ms: "44999" is not allowed; it must be at least group.consumer.min.session.timeout.ms, which is 45000`},
		"most too short": {map[string]string{"min.session.timeout.ms": "1", "max.session.timeout.ms": "3000"},
			`group.consumer.max.session.timeout.ms: "3000" is not allowed; it must be at least group.consumer.session.timeout.ms, which is 45000`},
		"least above most": {map[string]string{"min.session.timeout.ms": "60001"},
			`group.consumer.min.session.timeout.ms: "60001" is not allowed; it must be at most group.consumer.max.session.timeout.ms, which is 60000`},
		"heartbeats too rare": {map[string]string{"heartbeat.interval.ms": "15001"},
			`group.consumer.heartbeat.interval.ms: "15001" is not allowed; it must be at most group.consumer.max.heartbeat.interval.ms, which is 15000`},
		"assignments too rare": {map[string]string{"max.assignment.interval.ms": "999"},
			`group.consumer.max.assignment.interval.ms: "999" is not allowed; it must be at least group.consumer.assignment.interval.ms, which is 1000`},
		"one heartbeat a session": {map[string]string{"session.timeout.ms": "6000", "min.session.timeout.ms": "6000", "heartbeat.interval.ms": "6000"},
			`group.consumer.heartbeat.interval.ms: "6000" is not allowed; it must be less than group.consumer.session.timeout.ms, which is 6000`},
	} {
		set := map[string]string{}
		for rest, value := range test.set {
			set["group.consumer."+rest] = value
		}
		_, errs := Build(set)
		if test.want == "" {
			require.Empty(t, errs, name)
			continue
		}
		require.Len(t, errs, 1, name)
		require.EqualError(t, errs[0], test.want, name)
	}
}

func TestDescribeGroupNamesTheSource(t *testing.T) {
	b, errs := Build(map[string]string{"group.consumer.heartbeat.interval.ms": "6000"})
	require.Empty(t, errs)
	described := map[string]Entry{}
	for _, e := range b.DescribeGroup(map[string]string{"consumer.session.timeout.ms": "50000"}) {
		described[e.Definition.Name] = e
	}
	require.Len(t, described, 21, "some are described only where they are set")
	require.Equal(t, SourceGroup, described["consumer.session.timeout.ms"].Source)
	require.Equal(t, "50000", described["consumer.session.timeout.ms"].Value)
	require.Equal(t, SourceStatic, described["consumer.heartbeat.interval.ms"].Source)
	require.Equal(t, "6000", described["consumer.heartbeat.interval.ms"].Value)
	require.Equal(t, []Synonym{{"group.streams.assignors", "sticky", SourceDefault}}, described["streams.assignor.name"].Synonyms)
	require.Equal(t, []Synonym{{"share.isolation.level", "read_uncommitted", SourceDefault}}, described["share.isolation.level"].Synonyms)
	require.Len(t, b.DescribeGroup(map[string]string{"streams.num.warmup.replicas": "1"}), 22)
}

func TestTheTopicOfOffsets(t *testing.T) {
	b, errs := Build(map[string]string{"offsets.topic.compression.codec": "4", "offsets.topic.segment.bytes": "2000000"})
	require.Empty(t, errs)
	set := b.OffsetsTopic.Configs()
	require.Equal(t, map[string]string{"cleanup.policy": "compact", "compression.type": "zstd", "segment.bytes": "2000000"}, set)
	require.NoError(t, ValidateTopic(set))
}

// Kafka takes a segment that no topic may have, and serves no group then.
func TestTheSmallestSegmentOfTheTopicOfOffsets(t *testing.T) {
	b, errs := Build(map[string]string{"offsets.topic.segment.bytes": "1048576"})
	require.Empty(t, errs)
	require.NoError(t, ValidateTopic(b.OffsetsTopic.Configs()))
	_, errs = Build(map[string]string{"offsets.topic.segment.bytes": "1048575"})
	require.Len(t, errs, 1)
}

func TestWhatIsGivenUpOfTheTopicOfOffsets(t *testing.T) {
	b, errs := Build(map[string]string{"offsets.topic.lost": "0:5-5, 49:0-9223372036854775806"})
	require.Empty(t, errs)
	require.Equal(t, []Offsets{{0, 5, 5}, {49, 0, math.MaxInt64 - 1}}, b.OffsetsTopic.Lost)
	require.Equal(t, "0:5-5", b.OffsetsTopic.Lost[0].String())
	for _, text := range []string{"5", "0:5", "0:6-5", "-1:5-5", "0:-1-5", "0:5-", ":5-5", "0:5-9223372036854775807", "2147483648:5-5", "0:5-5,"} {
		_, errs := Build(map[string]string{"offsets.topic.lost": text})
		require.Len(t, errs, 1, text)
	}
	for of, want := range map[Offsets]bool{{1, 3, 4}: true, {1, 2, 5}: true, {1, 1, 2}: false, {1, 5, 6}: false, {0, 3, 4}: false} {
		require.Equal(t, want, Offsets{1, 2, 5}.Holds(of), of)
	}
}
