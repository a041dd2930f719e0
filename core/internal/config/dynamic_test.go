package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWithGoesBeforeTheConfiguration(t *testing.T) {
	static, errs := Build(map[string]string{"log.retention.minutes": "1", "message.max.bytes": "100", "log.roll.hours": "1"})
	require.Empty(t, errs)
	require.Same(t, &static, static.With(nil, map[string]string{}))
	b := static.With(
		map[string]string{"message.max.bytes": "200", "log.segment.bytes": "2000000", "max.connections": "7", "log.roll.ms": "9"},
		map[string]string{"message.max.bytes": "300", "producer.id.expiration.ms": "5", "log.index.interval.bytes": "nonsense", "never.heard.of": "1"},
	)
	require.EqualValues(t, 300, b.Topic.MaxMessageBytes)
	require.EqualValues(t, 2000000, b.Topic.SegmentBytes)
	require.EqualValues(t, 60000, b.Topic.RetentionMs)
	require.EqualValues(t, 9, b.Topic.SegmentMs, "the first synonym, wherever it is set")
	require.EqualValues(t, 4096, b.Topic.IndexIntervalBytes, "what is not allowed is passed over")
	require.Equal(t, 7, b.MaxConnections)
	require.Equal(t, 5*time.Millisecond, b.ProducerIDExpiration)

	require.EqualValues(t, 100, static.Topic.MaxMessageBytes, "the configuration stays as it is")
	own := entryOf(t, DescribeTopic(b, nil), "max.message.bytes")
	require.Equal(t, SourceOwnBroker, own.Source)
	require.Equal(t, []Synonym{
		{"message.max.bytes", "300", SourceOwnBroker}, {"message.max.bytes", "200", SourceAllBrokers},
		{"message.max.bytes", "100", SourceStatic}, {"message.max.bytes", "1048588", SourceDefault},
	}, own.Synonyms)
}

func TestDescribeBrokerHasWhatAConfigFallsBackTo(t *testing.T) {
	static, errs := Build(map[string]string{"log.retention.minutes": "1"})
	require.Empty(t, errs)
	b := static.With(nil, map[string]string{"log.retention.ms": "5", "leader.replication.throttled.rate": "1"})
	entries := DescribeBroker(b)
	require.Equal(t, []Synonym{
		{"log.retention.ms", "5", SourceOwnBroker}, {"log.retention.minutes", "1", SourceStatic}, {"log.retention.hours", "168", SourceDefault},
	}, entryOf(t, entries, "log.retention.ms").Synonyms)
	require.Len(t, entryOf(t, entries, "log.retention.minutes").Synonyms, 2)
	require.Len(t, entryOf(t, entries, "log.retention.hours").Synonyms, 1)
	require.Len(t, entryOf(t, entries, "leader.replication.throttled.rate").Synonyms, 1, "it is set")

	none := entryOf(t, DescribeBroker(&static), "log.retention.ms")
	require.True(t, none.Null)
	require.Empty(t, none.Synonyms)
}

func TestValuesAreDescribedInOneWay(t *testing.T) {
	b := Default()
	entries := DescribeTopic(&b, map[string]string{"preallocate": " TRUE", "cleanup.policy": " compact , delete", "retention.ms": " 5 "})
	require.Equal(t, "true", entryOf(t, entries, "preallocate").Value)
	require.Equal(t, "compact,delete", entryOf(t, entries, "cleanup.policy").Value)
	require.Equal(t, "5", entryOf(t, entries, "retention.ms").Value)
}

func TestListenersHaveConfigsOfTheirOwn(t *testing.T) {
	for name, known := range map[string]bool{
		"listener.name.external.ssl.keystore.location":  true,
		"listener.name.external.plain.sasl.jaas.config": true,
		"listener.name.external.never.heard.of":         false,
		"listener.name.ssl.keystore.location":           false,
		"listener.name.external":                        false,
	} {
		require.NoError(t, CheckDynamic(map[string]string{name: "x"}, false), name)
		require.Equal(t, known, CheckKnown(name) == nil, name)
	}
	require.EqualError(t, CheckDynamic(map[string]string{"listener.name.a.ssl.client.auth": "maybe"}, false),
		`listener.name.a.ssl.client.auth: "maybe" is not allowed; it must be one of required, requested, none`)
	b := Default()
	with := b.With(nil, map[string]string{"listener.name.a.ssl.key.password": "x"})
	require.True(t, entryOf(t, DescribeBroker(with), "listener.name.a.ssl.key.password").Definition.Sensitive)
}

func TestNumberOfTheBrokerByEitherName(t *testing.T) {
	older, errs := Build(map[string]string{"broker.id": "7"})
	require.Empty(t, errs)
	require.EqualValues(t, 7, older.NodeID)
	newer, errs := Build(map[string]string{"node.id": "8"})
	require.Empty(t, errs)
	require.Equal(t, "8", entryOf(t, DescribeBroker(&newer), "broker.id").Value)
	_, errs = Build(map[string]string{"node.id": "8", "broker.id": "7"})
	require.EqualError(t, errs[0], `broker.id: "7" is not allowed; it must be the same as node.id, or left out`)
}
