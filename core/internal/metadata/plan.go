package metadata

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// Rules is what a plan needs to know that is not in the image.
type Rules struct {
	DefaultPartitions        int32
	DefaultReplicationFactor int16
	// Live is the brokers that replicas may be placed on, ascending.
	Live []int32
	// Settle holds what is set on a topic against what is allowed, and says
	// what follows from it for replication.
	Settle  func(overrides map[string]string) (Settled, error)
	Configs ConfigRules
	// Elect asks a replication strategy for the record as it ought to be.
	Elect func(ctx context.Context, strategy string, r replication.Record, live replication.Liveness) (replication.Record, error)
}

// Settled is the part of a topic's configuration that decides on replication.
type Settled struct {
	Strategy  string
	MinInSync int32
}

// Plan is the records that do what was asked, and the answers that are true
// once the records are committed.
type Plan struct {
	Records []Record
	Results []TopicResult
}

// elect returns the first record of each partition of the given replicas.
func (r Rules) elect(ctx context.Context, s Settled, placed [][]int32) ([]partitionState, *refusal.Refusal) {
	states := make([]partitionState, len(placed))
	for n, replicas := range placed {
		// An empty log is the same on all replicas, so those that live are in
		// sync. The epoch is that before the first.
		blank := replication.Record{Leader: -1, LeaderEpoch: -1, Replicas: replicas, InSync: r.alive(replicas), MinInSync: s.MinInSync}
		elected, err := r.Elect(ctx, s.Strategy, blank, replication.Liveness{Nodes: r.Live})
		if err == nil {
			err = checkElected(blank, elected)
		}
		if err != nil {
			return nil, electionRefusal(s.Strategy, err)
		}
		states[n] = partitionState(elected)
	}
	return states, nil
}

func (r Rules) alive(replicas []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(replicas), func(node int32) bool { return !slices.Contains(r.Live, node) })
}

// checkElected holds a strategy to what it may change.
func checkElected(before, after replication.Record) error {
	stranger := func(node int32) bool { return !slices.Contains(before.Replicas, node) }
	switch {
	case !slices.Equal(before.Replicas, after.Replicas):
		return module.Fatalf("it moved the replicas from %v to %v", before.Replicas, after.Replicas)
	case after.Leader != -1 && stranger(after.Leader):
		return module.Fatalf("it elected %d, which is none of the replicas %v", after.Leader, before.Replicas)
	case slices.ContainsFunc(after.InSync, stranger):
		return module.Fatalf("it put %v in sync, of the replicas %v", after.InSync, before.Replicas)
	case after.Version < before.Version || after.LeaderEpoch < before.LeaderEpoch:
		return module.Fatalf("version or leader epoch went back, from %d and %d to %d and %d", before.Version, before.LeaderEpoch, after.Version, after.LeaderEpoch)
	}
	return nil
}

func electionRefusal(strategy string, err error) *refusal.Refusal {
	switch module.ClassOf(err) {
	case module.Invalid:
		return refusal.New(kerr.InvalidReplicationFactor, "replication strategy %q refuses the replicas: %v", strategy, err)
	case module.Retriable:
		return refusal.New(kerr.RequestTimedOut, "replication strategy %q gave no answer: %v", strategy, err)
	default:
		return refusal.New(kerr.UnknownServerError, "replication strategy %q failed: %v", strategy, err)
	}
}

func done(t *Topic) TopicResult {
	return TopicResult{
		Name: t.Name, ID: t.ID, Configs: t.Configs,
		Partitions: int32(len(t.Partitions)), ReplicationFactor: t.ReplicationFactor(),
	}
}

// maxPartitionsPerRequest bounds what one request may make the controller
// hold, write and open.
const maxPartitionsPerRequest = 10_000

// checkBudget holds count partitions to what is left of
// [maxPartitionsPerRequest].
func checkBudget(count int, budget int32) *refusal.Refusal {
	if count > int(budget) {
		return refusal.New(kerr.PolicyViolation, "one request may create at most %d partitions in all; ask for the others in further requests", maxPartitionsPerRequest)
	}
	return nil
}

// after is the image that the records of a plan so far will lead to, so that
// the rest of the plan agrees with them.
func after(i *Image, r Record) (*Image, *refusal.Refusal) {
	next, err := Apply(i, i.index+1, r)
	if err != nil {
		return i, refusal.New(kerr.UnknownServerError, "%v", err)
	}
	return next, nil
}
