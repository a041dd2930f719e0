package main

import (
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
}

func TestPageShowsTheConfiguration(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	config, err := os.ReadFile("weighted.yaml")
	require.NoError(t, err)
	require.Contains(t, string(page), "```yaml\n"+string(config)+"```\n")
}
