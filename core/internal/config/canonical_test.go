package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAValueHasOneText(t *testing.T) {
	for _, c := range []struct {
		kind       Type
		text, want string
	}{
		{Boolean, " TRUE ", "true"},
		{List, " compact , delete", "compact,delete"},
		{Int, "+007", "7"},
		{Long, " -1 ", "-1"},
		{Double, "1", "1.0"},
		{Double, "0", "0.0"},
		{Double, "0.50", "0.5"},
		{Double, "1e-3", "0.001"},
		{Double, "0.0001", "1.0E-4"},
		{Double, "12345678", "1.2345678E7"},
		{Double, "1.7976931348623157E308", "1.7976931348623157E308"},
		{String, " x ", "x"},
	} {
		require.Equal(t, c.want, canonical(c.kind, c.text), c.text)
	}
}

func TestRetentionOfABrokerBelowZeroIsForEver(t *testing.T) {
	b := Default()
	for name, text := range map[string]string{"log.retention.ms": "-2", "log.retention.minutes": "-7", "log.retention.hours": "-1"} {
		values := map[string]string{name: text}
		if name == "log.retention.ms" {
			require.NoError(t, CheckDynamic(values, true))
		}
		next, errs := Build(values)
		require.Empty(t, errs)
		require.EqualValues(t, -1, next.Topic.RetentionMs)
		_, errs = Build(map[string]string{name: "0"})
		require.Len(t, errs, 1, "nothing would be kept")
	}
	require.Error(t, CheckDynamic(map[string]string{"log.retention.ms": "0"}, true))
	next := b.With(map[string]string{"log.retention.ms": "-2"}, nil)
	require.EqualValues(t, -1, next.Topic.RetentionMs)
	for _, e := range DescribeTopic(next, nil) {
		if e.Definition.Name == "retention.ms" {
			require.Equal(t, "-1", e.Value)
			require.Equal(t, Synonym{"log.retention.ms", "-2", SourceAllBrokers}, e.Synonyms[0])
		}
	}
}

func TestANameThatNobodyKnowsIsKeptForBrokers(t *testing.T) {
	values := map[string]string{"no.such.config": "secret"}
	require.NoError(t, CheckDynamic(values, true))
	require.NoError(t, CheckDynamic(values, false))
	require.ErrorContains(t, CheckKnown("log.retention.m"), "log.retention.ms")
	require.NoError(t, CheckKnown("log.retention.ms"))
	require.NoError(t, CheckKnown("listener.name.plaintext.max.connections"))

	b := Default()
	find := func(entries []Entry) Entry {
		for _, e := range entries {
			if e.Definition.Name == "no.such.config" {
				return e
			}
		}
		t.Fatal("it is not described")
		return Entry{}
	}
	for source, entries := range map[int8][]Entry{
		SourceAllBrokers: DescribeBroker(b.With(values, nil)),
		SourceOwnBroker:  DescribeBroker(b.With(values, values)),
	} {
		e := find(entries)
		require.Equal(t, source, e.Source)
		require.True(t, e.Definition.Sensitive, "what it is for is not known")
		require.True(t, e.Definition.ReadOnly)
		require.Zero(t, e.Definition.Type)
	}
	require.Equal(t, SourceAllBrokers, find(DescribeAllBrokers(b.With(values, nil))).Source)
}
