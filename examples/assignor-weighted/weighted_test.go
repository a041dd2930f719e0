package main

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, Factory(), nil) }

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Balanced(), assignortest.OnlyOrderMatters())
}

func TestConformanceAsSubprocess(t *testing.T) {
	assignortest.Run(t, func(t *testing.T) assignor.Assignor {
		return remotetest.Open(t, Factory(), nil).(assignor.Assignor)
	}, assignortest.Balanced(), assignortest.OnlyOrderMatters())
}

var lag = map[string]any{"measure": "lag"}

func TestConformanceByLag(t *testing.T) {
	open := func(t *testing.T) assignor.Assignor { return assignortest.Open(t, Factory(), lag) }
	assignortest.Run(t, open, assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) {
	assignortest.Equal(t, open(t), remotetest.Open(t, Factory(), nil).(assignor.Assignor))
	assignortest.Equal(t, assignortest.Open(t, Factory(), lag), remotetest.Open(t, Factory(), lag).(assignor.Assignor))
}

func TestSharesOfTheLagFollowTheWeights(t *testing.T) {
	snapshot := assignortest.Uniform(2, 4, 3)
	snapshot.Topics[0].Lags = []int64{10, 700, -1, 90}
	snapshot.Topics[1].Lags = []int64{100, 0, 100}
	byLag := assignortest.Open(t, Factory(), lag)
	require.Equal(t, []int64{700, 300}, lags(snapshot, assignortest.Assign(t, byLag, snapshot)))

	snapshot.Members[0].UserData = []byte("3")
	snapshot.Topics[0].Lags[1] = 100
	require.Equal(t, []int64{300, 100}, lags(snapshot, assignortest.Assign(t, byLag, snapshot)))
}

// lags is how many records wait for each member.
func lags(snapshot assignor.Snapshot, assignment assignor.Assignment) []int64 {
	lags := make([]int64, len(assignment.Members))
	for i, member := range assignment.Members {
		for _, tp := range member.Partitions {
			for _, topic := range snapshot.Topics {
				for _, p := range tp.Partitions {
					if topic.Name == tp.Topic {
						lags[i] += max(topic.Lags[p], 0)
					}
				}
			}
		}
	}
	return lags
}

func TestLagsBeyondMeasure(t *testing.T) {
	snapshot := assignortest.Uniform(2, 4)
	snapshot.Topics[0].Lags = []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MinInt64}
	snapshot.Members[0].UserData = []byte("1000")
	byLag := assignortest.Open(t, Factory(), lag)
	require.Equal(t, []int{3, 1}, assignortest.Counts(assignortest.Assign(t, byLag, snapshot)))
}

func TestSharesFollowTheWeights(t *testing.T) {
	snapshot := assignortest.Uniform(3, 7, 5)
	for i, weight := range []string{"3", "", "2"} {
		snapshot.Members[i].UserData = []byte(weight)
	}
	assignment := assignortest.Assign(t, open(t), snapshot)
	require.Equal(t, []int{6, 2, 4}, assignortest.Counts(assignment))
	require.Equal(t, "3", string(assignment.Members[0].UserData))
	require.Equal(t, "1", string(assignment.Members[1].UserData))
}

func TestWhatIsNoWeightCountsAsTheDefault(t *testing.T) {
	heavy := assignortest.Open(t, Factory(), map[string]any{"default.weight": 3})
	snapshot := assignortest.Uniform(2, 8)
	for _, none := range []string{"", "0", "-1", "1001", "heavy", "99999999999999999999"} {
		snapshot.Members[0].UserData, snapshot.Members[1].UserData = []byte(none), []byte("1")
		require.Equal(t, []int{6, 2}, assignortest.Counts(assignortest.Assign(t, heavy, snapshot)), "%q", none)
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	require.ErrorContains(t, Factory().Check(map[string]any{"default.weight": 0}), "default.weight is 0; it must be from 1 to 1000")
	require.ErrorContains(t, Factory().Check(map[string]any{"measure": "size"}), `measure is "size"; it must be partitions or lag`)
}

func TestPageShowsTheConfiguration(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	config, err := os.ReadFile("weighted.yaml")
	require.NoError(t, err)
	require.Contains(t, string(page), "```yaml\n"+string(config)+"```\n")
}
