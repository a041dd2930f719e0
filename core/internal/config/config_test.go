package config

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDefaultIsKafkasWhereKafkaHasOne(t *testing.T) {
	b := Default()
	require.Equal(t, int32(1), b.NodeID)
	require.Equal(t, []Listener{{
		Name: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "127.0.0.1", Port: 9092, AdvertisedHost: "127.0.0.1", AdvertisedPort: 9092,
	}}, b.Listeners)
	require.Equal(t, []string{"data"}, b.LogDirs)
	require.Equal(t, "data", b.MetadataLogDir)
	require.True(t, b.AutoCreateTopics)
	require.Equal(t, 10*time.Minute, b.ConnectionsMaxIdle)
	require.Equal(t, Topic{
		MaxMessageBytes: 1048588, MinInSyncReplicas: 1, CleanupPolicy: []string{"delete"}, CompressionType: "producer", GzipLevel: -1, Lz4Level: 9, ZstdLevel: 3,
		SegmentBytes: 1 << 30, SegmentMs: 604800000, SegmentIndexBytes: 10485760, IndexIntervalBytes: 4096,
		FileDeleteDelayMs: 60000, RetentionMs: 604800000, RetentionBytes: -1, FlushMessages: math.MaxInt64,
		FlushMs: math.MaxInt64, MaxDecompressedBytes: math.MaxInt32 - 8, DeleteRetentionMs: 86400000, MinCleanableRatio: 0.5, MaxCompactionLagMs: math.MaxInt64, TimestampType: "CreateTime", TimestampBeforeMaxMs: math.MaxInt64,
		TimestampAfterMaxMs: 3600000, ReplicationStrategy: "isr",
	}, b.Topic)
}

func TestEveryDefaultIsAllowed(t *testing.T) {
	for name, k := range topicKeys {
		require.True(t, k.HasDefault, name)
		require.NoError(t, k.set(nil, k.Default), name)
		require.NotEmpty(t, k.Doc, name)
		for _, synonym := range k.Synonyms {
			require.Contains(t, brokerKeys, synonym)
		}
	}
	for name, k := range brokerKeys {
		if k.HasDefault {
			require.NoError(t, k.check(k.Default), name)
		}
		require.NotEmpty(t, k.Doc, name)
	}
}

func TestSynonymInAnotherUnitHasItsDefault(t *testing.T) {
	for name, want := range map[string]string{
		"log.retention.hours": "168", "log.roll.hours": "168", "log.roll.jitter.hours": "0", "log.segment.bytes": "1073741824",
	} {
		require.Equal(t, want, brokerKeys[name].Default, name)
	}
	for _, name := range []string{"log.retention.ms", "log.retention.minutes", "log.roll.ms"} {
		require.False(t, brokerKeys[name].HasDefault, name)
	}
}

func TestWrongValueNamesKeyValueAndWhatIsAllowed(t *testing.T) {
	for _, c := range []struct{ name, value, message string }{
		{"segment.bytes", "5", `segment.bytes: "5" is not allowed; it must be a whole number from 1048576 to 2147483647`},
		{"segment.bytes", "1e9", `segment.bytes: "1e9" is not allowed; it must be a whole number from 1048576 to 2147483647`},
		{"retention.ms", "-2", `retention.ms: "-2" is not allowed; it must be a whole number of at least -1`},
		{"cleanup.policy", "compact,delte", `cleanup.policy: "compact,delte" is not allowed; it must be a list of compact and delete, each at most once`},
		{"cleanup.policy", "delete,delete", `cleanup.policy: "delete,delete" is not allowed; it must be a list of compact and delete, each at most once`},
		{"compression.type", "zip", `compression.type: "zip" is not allowed; it must be one of uncompressed, zstd, lz4, snappy, gzip, producer`},
		{"compression.gzip.level", "0", `compression.gzip.level: "0" is not allowed; it must be a whole number from 1 to 9, or -1 for the default level`},
		{"preallocate", "yes", `preallocate: "yes" is not allowed; it must be true or false`},
		{"min.cleanable.dirty.ratio", "1.5", `min.cleanable.dirty.ratio: "1.5" is not allowed; it must be a number from 0 to 1`},
		{"leader.replication.throttled.replicas", "0-1", `leader.replication.throttled.replicas: "0-1" is not allowed; it must be * for all, or a list of PARTITION:BROKER`},
		{"retention.msec", "1", `retention.msec: unknown topic config; did you mean "retention.ms"?`},
		{"log.segment.bytes", "1", `log.segment.bytes: unknown topic config; did you mean "segment.bytes"?`},
		{"qqqqqqqq", "1", `qqqqqqqq: unknown topic config`},
	} {
		require.EqualError(t, ValidateTopic(map[string]string{c.name: c.value}), c.message)
	}
}

// Of log.dir and log.dirs one is meant each time.
func TestTheSameNameIsNearestEachTime(t *testing.T) {
	for range 100 {
		_, errs := Build(map[string]string{"log.dir5": "/a"})
		require.Len(t, errs, 1)
		require.EqualError(t, errs[0], `log.dir5: unknown broker config; did you mean "log.dir"?`)
	}
}

func TestValuesAllowed(t *testing.T) {
	for name, value := range map[string]string{
		"cleanup.policy": " compact , delete ", "compression.gzip.level": "-1", "preallocate": "TRUE",
		"message.format.version": "3.0", "leader.replication.throttled.replicas": "0:1,1:2",
		"follower.replication.throttled.replicas": "*", "retention.ms": " 5 ",
	} {
		require.NoError(t, ValidateTopic(map[string]string{name: value}), name)
	}
	require.NoError(t, ValidateTopic(map[string]string{"cleanup.policy": ""}))
}

func TestTopicFallsBackToTheFirstSynonymThatIsSet(t *testing.T) {
	b, errs := Build(map[string]string{
		"log.retention.hours": "2", "log.retention.minutes": "3", "log.roll.hours": "1", "message.max.bytes": "1000",
	})
	require.Empty(t, errs)
	require.Equal(t, int64(3*60*1000), b.Topic.RetentionMs)
	require.Equal(t, int64(60*60*1000), b.Topic.SegmentMs)
	require.Equal(t, int32(1000), b.Topic.MaxMessageBytes)

	topic, err := ResolveTopic(&b, map[string]string{"retention.ms": "7", "cleanup.policy": "compact,delete"})
	require.NoError(t, err)
	require.Equal(t, int64(7), topic.RetentionMs)
	require.Equal(t, []string{"compact", "delete"}, topic.CleanupPolicy)

	forever, errs := Build(map[string]string{"log.retention.hours": "-1"})
	require.Empty(t, errs)
	require.Equal(t, int64(-1), forever.Topic.RetentionMs)
}

func entryOf(t *testing.T, entries []Entry, name string) Entry {
	t.Helper()
	for _, e := range entries {
		if e.Definition.Name == name {
			return e
		}
	}
	require.Failf(t, "no entry", "%s", name)
	return Entry{}
}

func TestDescribeTopicSaysWhereAValueComesFrom(t *testing.T) {
	b, errs := Build(map[string]string{"log.retention.hours": "2"})
	require.Empty(t, errs)

	static := entryOf(t, DescribeTopic(&b, nil), "retention.ms")
	require.Equal(t, "7200000", static.Value)
	require.Equal(t, SourceStatic, static.Source)
	require.Equal(t, []Synonym{{"log.retention.hours", "2", SourceStatic}, {"log.retention.hours", "168", SourceDefault}}, static.Synonyms)

	own := entryOf(t, DescribeTopic(&b, map[string]string{"retention.ms": "5"}), "retention.ms")
	require.Equal(t, "5", own.Value)
	require.Equal(t, SourceTopic, own.Source)
	require.Equal(t, Synonym{"retention.ms", "5", SourceTopic}, own.Synonyms[0])

	require.Equal(t, SourceDefault, entryOf(t, DescribeTopic(&b, nil), "segment.bytes").Source)
	require.Len(t, DescribeTopic(&b, nil), 38)
}

func TestDescribeBroker(t *testing.T) {
	b, errs := Build(map[string]string{"num.partitions": "6"})
	require.Empty(t, errs)
	set := entryOf(t, DescribeBroker(&b), "num.partitions")
	require.Equal(t, "6", set.Value)
	require.Equal(t, SourceStatic, set.Source)
	require.True(t, set.Definition.ReadOnly)
	require.True(t, entryOf(t, DescribeBroker(&b), "broker.rack").Null)
}

func TestBuildReportsEveryError(t *testing.T) {
	_, errs := Build(map[string]string{
		"num.partitions": "0", "num.partition": "1", "segment.bytes": "5000000", "ssl.keystore.type": "PEM",
		"authorizer.class.name": "x", "process.roles": "broker",
	})
	require.Len(t, errs, 4)
	require.EqualError(t, errs[0], `authorizer.class.name: "x" is not allowed; it must be empty: there is no authorizer yet, and without one every client may do everything`)
	require.EqualError(t, errs[1], `num.partition: unknown broker config; did you mean "num.partitions"?`)
	require.EqualError(t, errs[2], `num.partitions: "0" is not allowed; it must be a whole number from 1 to 2147483647`)
	require.EqualError(t, errs[3], `segment.bytes: unknown broker config; did you mean "log.segment.bytes"?`)
}

func TestLogDir(t *testing.T) {
	one, _ := Build(map[string]string{"log.dir": "/a"})
	require.Equal(t, []string{"/a"}, one.LogDirs)
	both, _ := Build(map[string]string{"log.dir": "/a", "log.dirs": "/b,/c"})
	require.Equal(t, []string{"/b", "/c"}, both.LogDirs)
	require.Equal(t, "/b", both.MetadataLogDir)
}

func TestNamesWithoutEffect(t *testing.T) {
	require.True(t, WithoutEffect("num.io.threads"))
	require.True(t, WithoutEffect("listener.name.external.ssl.keystore.location"))
	require.False(t, WithoutEffect("log.cleaner.min.cleanable.ratio"))
	require.False(t, WithoutEffect("log.retention.hours"))
	require.False(t, WithoutEffect("log.segment.bytes"))
	require.False(t, WithoutEffect("num.partitions"))
	require.False(t, WithoutEffect("num.threads"))
	require.False(t, WithoutEffect("group.coordinator.rebalance.protocols"))
	require.Equal(t, []string{"share", "streams"}, WordsWithoutEffect("group.coordinator.rebalance.protocols", "share, classic,streams"))
	require.Empty(t, WordsWithoutEffect("group.coordinator.rebalance.protocols", "classic,consumer"))
	require.Empty(t, WordsWithoutEffect("group.consumer.assignors", "uniform,range"))
}

func TestLongMillisecondsAreTheLongestDuration(t *testing.T) {
	b, errs := Build(map[string]string{"connections.max.idle.ms": "9223372036854775807"})
	require.Empty(t, errs)
	require.Equal(t, time.Duration(math.MaxInt64), b.ConnectionsMaxIdle)
}
