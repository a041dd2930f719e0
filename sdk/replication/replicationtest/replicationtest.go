// Package replicationtest is the conformance suite of replication strategies.
//
// It is a small world with one seed: nodes with logs and disks, a network that
// loses, doubles and reorders, a control plane that elects, and clients that
// propose. It holds a strategy to its [replication.Contract]: an acknowledged
// record is not lost to what the contract tolerates, what was visible stays,
// and there are never two values at one offset. It runs the same on a strategy
// in this process and on one in another.
package replicationtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// seeds is how many worlds [Run] makes of each kind.
const seeds = 60

// setups are the partitions that [Run] makes.
var setups = []setup{
	{name: "one replica", replicas: []int32{1}, min: 1},
	{name: "two replicas", replicas: []int32{4, 2}, min: 1},
	{name: "three replicas", replicas: []int32{1, 2, 3}, min: 2},
}

type setup struct {
	name     string
	replicas []int32
	min      int32
}

// Run runs the whole suite. A strategy that refuses to open a partition of
// several replicas, or to elect in one, with an invalid error is only held to
// what it promises of one.
func Run(t *testing.T, open func(t *testing.T) replication.Strategy) {
	t.Run("Contract", func(t *testing.T) { testContract(t, open(t)) })
	t.Run("Elect", func(t *testing.T) { testElect(t, open(t)) })
	for _, s := range setups {
		t.Run(s.name, func(t *testing.T) {
			if len(s.replicas) > 1 && !supports(t, open(t), s) {
				return
			}
			Seeds(t, open, s.replicas, s.min, 1, seeds)
			testRepeatable(t, open, s)
		})
	}
}

// Seeds makes a world of each seed from first to last.
func Seeds(t *testing.T, open func(t *testing.T) replication.Strategy, replicas []int32, minInSync int32, first, last uint64) {
	strategy := open(t)
	for seed := first; seed <= last; seed++ {
		w := newWorld(strategy, replicas, minInSync, seed)
		if err := w.run(); err != nil {
			again := newWorld(open(t), replicas, minInSync, seed)
			again.story = &strings.Builder{}
			_ = again.run()
			t.Fatalf("seed %d: %v\n%s", seed, err, lastLines(again.story.String(), 120))
		}
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func testContract(t *testing.T, s replication.Strategy) {
	c := s.Contract()
	require.NotEmpty(t, c.Tolerates)
	require.NotEmpty(t, c.AckMeans)
	require.NotEmpty(t, c.ReadMeans)
	require.Equal(t, c, s.Contract(), "Contract changed")
}

// supports tells a strategy for one replica by its refusal, which must be of
// the class that says so.
func supports(t *testing.T, s replication.Strategy, set setup) bool {
	record := replication.Record{Leader: set.replicas[0], Replicas: set.replicas, InSync: set.replicas, MinInSync: set.min}
	_, err := s.Open(context.Background(), replication.Start{Self: set.replicas[0], Record: record})
	if err != nil {
		require.Equal(t, module.Invalid, module.ClassOf(err), "%v", err)
	}
	return err == nil
}

// testRepeatable: the same seed twice has the same effects, and two machines
// that are told the same say the same.
func testRepeatable(t *testing.T, open func(t *testing.T) replication.Strategy, s setup) {
	for seed := uint64(1); seed <= 10; seed++ {
		first, second := newWorld(open(t), s.replicas, s.min, seed), newWorld(open(t), s.replicas, s.min, seed)
		second.twins = true
		require.NoError(t, first.run())
		require.NoError(t, second.run())
		require.Equal(t, first.digest.Sum64(), second.digest.Sum64(), "seed %d has other effects the second time", seed)
	}
}

// testElect: the election is pure, settles at once, and only moves forward.
func testElect(t *testing.T, s replication.Strategy) {
	for _, set := range setups {
		if len(set.replicas) > 1 && !supports(t, s, set) {
			continue
		}
		record := replication.Record{Version: 3, Leader: -1, LeaderEpoch: 2, Replicas: set.replicas, InSync: set.replicas, MinInSync: set.min}
		for alive := range 1 << len(set.replicas) {
			var live replication.Liveness
			for i, id := range set.replicas {
				if alive>>i&1 == 1 {
					live.Nodes = append(live.Nodes, id)
				}
			}
			before := fmt.Sprint(record)
			next, err := s.Elect(context.Background(), record, live)
			require.NoError(t, err)
			require.Equal(t, before, fmt.Sprint(record), "Elect changed what it was given")
			require.NoError(t, checkElected(record, next))
			same, err := s.Elect(context.Background(), next, live)
			require.NoError(t, err)
			require.Equal(t, next, same, "a second election with the same nodes changes it again")
			record = next
		}
	}
}
