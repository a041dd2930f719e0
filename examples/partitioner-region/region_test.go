package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, Factory()) }

func settings() map[string]any {
	return map[string]any{"regions": map[string]any{"eu": []any{0, 1, 2}, "us": []any{3, 9}}}
}

func TestConformance(t *testing.T) {
	partitionertest.Run(t, func(t *testing.T) partitioner.Partitioner {
		return partitionertest.Open(t, Factory(), settings())
	})
}

func TestConformanceAsSubprocess(t *testing.T) {
	partitionertest.Run(t, func(t *testing.T) partitioner.Partitioner {
		return remotetest.Open(t, Factory(), settings()).(partitioner.Partitioner)
	})
}

func TestRegionsStayAtHome(t *testing.T) {
	p := partitionertest.Open(t, Factory(), settings())
	for region, home := range map[string][]int32{"eu": {0, 1, 2}, "us": {3, 9}} {
		batch := partitionertest.Batch(partitionertest.Topic(12))
		for i := range 100 {
			batch.Keys.Append(fmt.Appendf(nil, "%s|order-%d", region, i))
			batch.Sizes = append(batch.Sizes, 100)
		}
		chosen := partitionertest.Assign(t, p, batch)
		require.Subset(t, home, chosen)
		require.Subset(t, chosen, home, "every partition of %s is used", region)
	}
}

func TestRegionUsesWhatTheTopicHas(t *testing.T) {
	p := partitionertest.Open(t, Factory(), settings())
	keys := [][]byte{[]byte("us|a"), []byte("us|b"), []byte("us|c"), []byte("us|d")}
	require.Equal(t, []int32{3, 3, 3, 3}, partitionertest.Assign(t, p, partitionertest.Batch(partitionertest.Topic(4), keys...)))
	partitionertest.Assign(t, p, partitionertest.Batch(partitionertest.Topic(2), keys...))
}

func TestSettingsThatAreRefused(t *testing.T) {
	for want, wrong := range map[string]map[string]any{
		"separator is empty":       {"separator": ""},
		`regions has "e|u"`:        {"regions": map[string]any{"e|u": []any{0}}},
		`no partitions for "eu"`:   {"regions": map[string]any{"eu": []any{}}},
		`partition -1 for "eu"`:    {"regions": map[string]any{"eu": []any{-1}}},
		`unknown setting "region"`: {"region": "eu"},
	} {
		require.ErrorContains(t, Factory().Check(wrong), want)
	}
}

func TestPageShowsTheConfiguration(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	config, err := os.ReadFile("region.yaml")
	require.NoError(t, err)
	require.Contains(t, string(page), "```yaml\n"+string(config)+"```\n")
}
