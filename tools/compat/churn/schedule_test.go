package churn

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASeedRepeatsItsSchedule(t *testing.T) {
	text := func(seed uint64) string { return story(draw(seed, time.Minute, groups())) }
	require.Equal(t, text(1), text(1))
	require.NotEqual(t, text(1), text(2))
}

// TestSchedules holds every schedule to what the runner rests on: nothing is
// done to a member that is not there or does not run, whoever is stopped is
// resumed, and there is always somebody to consume, and a partition for each.
func TestSchedules(t *testing.T) {
	for seed := range uint64(200) {
		running, stopped, done := map[string]*group{}, map[string]bool{}, map[action]int{}
		for _, m := range draw(seed, 2*time.Minute, groups()) {
			require.LessOrEqual(t, m.at, 2*time.Minute)
			done[m.action]++
			switch m.action {
			case crash:
				continue
			case join:
				require.NotContains(t, running, m.member)
				running[m.member] = m.group
				requireRoom(t, m.group, running)
				continue
			}
			require.Same(t, m.group, running[m.member])
			require.Equal(t, m.action == resume, stopped[m.member], "seed %d: %s", seed, m)
			switch m.action {
			case leave, kill:
				delete(running, m.member)
			case stop, resume:
				stopped[m.member] = m.action == stop
			}
			requireAwake(t, m.group, running, stopped)
		}
		require.Equal(t, done[stop], done[resume])
		require.Equal(t, 2, done[crash])
		for _, what := range []action{join, leave, kill, stop} {
			require.NotZero(t, done[what], "seed %d: nobody has to %s", seed, what)
		}
	}
}

func TestMembersAreLeftAloneAfterTheFirstCrash(t *testing.T) {
	for seed := range uint64(200) {
		drawn := draw(seed, 2*time.Minute, groups())
		first := slices.IndexFunc(drawn, func(m moment) bool { return m.action == crash })
		for _, m := range drawn[first+1:] {
			if m.action != crash {
				require.Greater(t, m.at, drawn[first].at+progressOf("kafka-go"), "seed %d: %s", seed, m)
			}
		}
	}
}

func requireRoom(t *testing.T, g *group, running map[string]*group) {
	t.Helper()
	count := 0
	for _, of := range running {
		if of == g {
			count++
		}
	}
	require.Less(t, count, partitions)
}

func requireAwake(t *testing.T, g *group, running map[string]*group, stopped map[string]bool) {
	t.Helper()
	count := 0
	for name, of := range running {
		if of == g && !stopped[name] {
			count++
		}
	}
	require.GreaterOrEqual(t, count, awake)
}
