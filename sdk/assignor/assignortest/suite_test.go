package assignortest_test

import (
	"context"
	"hash/fnv"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
)

type assignFunc func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error)

func (f assignFunc) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return f(ctx, snapshot)
}

// by gives each partition to the subscriber that choose names.
func by(ctx context.Context, snapshot assignor.Snapshot, choose func(plan *assignor.Plan, topic int, partition int32, members []int) int) (assignor.Assignment, error) {
	plan := assignor.NewPlan(snapshot)
	for topic, members := range snapshot.Subscribers(snapshot.StaticFirst()) {
		for partition := range snapshot.Topics[topic].Partitions {
			plan.Give(choose(plan, topic, partition, members), topic, partition)
		}
	}
	return plan.Assignment(), ctx.Err()
}

// sound is balanced and forgets everything.
func sound(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return by(ctx, snapshot, func(plan *assignor.Plan, _ int, _ int32, members []int) int {
		least := members[0]
		for _, member := range members {
			if plan.Count(member) < plan.Count(least) {
				least = member
			}
		}
		return least
	})
}

func TestSoundAssignorPasses(t *testing.T) {
	open := func(*testing.T) assignor.Assignor { return assignFunc(sound) }
	assignortest.Run(t, open, assignortest.Balanced(), assignortest.OnlyOrderMatters())
}

var calls atomic.Int64

// broken has assignors by the part of the suite that must find them.
var broken = map[string]assignFunc{
	"random_groups": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		assignment, err := sound(ctx, snapshot)
		for i := range assignment.Members {
			assignment.Members[i].Partitions = assignment.Members[0].Partitions
		}
		return assignment, err
	},
	"equal_snapshots": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		turn := int(calls.Add(1))
		return by(ctx, snapshot, func(_ *assignor.Plan, _ int, _ int32, members []int) int { return members[turn%len(members)] })
	},
	"snapshot_stays_as_it_was": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		assignment, err := sound(ctx, snapshot)
		for i := range snapshot.Members {
			snapshot.Members[i].Owned = nil
		}
		return assignment, err
	},
	"context_that_has_ended": func(_ context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		return sound(context.Background(), snapshot)
	},
	"only_order_matters": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		return by(ctx, snapshot, func(_ *assignor.Plan, topic int, _ int32, members []int) int {
			h := fnv.New32a()
			_, _ = h.Write([]byte(snapshot.Topics[topic].Name))
			return members[int(h.Sum32()%uint32(len(members)))]
		})
	},
	"balanced": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		return by(ctx, snapshot, func(_ *assignor.Plan, _ int, _ int32, members []int) int { return members[0] })
	},
	"settled_group_stays": func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
		turn := 0
		for _, member := range snapshot.Members {
			turn += len(member.Owned)
		}
		return by(ctx, snapshot, func(_ *assignor.Plan, _ int, _ int32, members []int) int { return members[turn%len(members)] })
	},
	"member_leaves": sound,
	"member_joins":  sound,
	"double_claim":  sound,
}

func TestSuiteFindsBrokenAssignors(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for part := range broken {
		t.Run(part, func(t *testing.T) {
			run := exec.Command(self, "-test.run=^TestBroken$/^"+part+"$/^"+part+"$")
			run.Env = append(os.Environ(), "ODRADEK_TEST_BROKEN=1")
			output, err := run.CombinedOutput()
			require.Error(t, err, "the suite passed:\n%s", output)
			require.Contains(t, string(output), "--- FAIL: TestBroken/"+part+"/"+part)
		})
	}
}

// TestBroken fails, and so does nothing unless the test above runs it.
func TestBroken(t *testing.T) {
	if os.Getenv("ODRADEK_TEST_BROKEN") == "" {
		return
	}
	for part, module := range broken {
		t.Run(part, func(t *testing.T) {
			open := func(*testing.T) assignor.Assignor { return module }
			assignortest.Run(t, open, assignortest.Sticky(), assignortest.OnlyOrderMatters())
		})
	}
}
