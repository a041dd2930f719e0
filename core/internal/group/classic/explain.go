package classic

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// rebalancing is what is known of the rebalance that is under way, or of the
// last. It is of this run of the machine: the log does not have it.
type rebalancing struct {
	is bool
	// since is when it began, and why says for what.
	since int64
	why   string
}

// begin says that a rebalance has a cause. One that is prepared anew goes on.
func (r *rebalancing) begin(now int64, why string) {
	if !r.is {
		r.is, r.since = true, now
	}
	r.why = why
}

func (r *rebalancing) end(now int64, out *step.Output) {
	if r.is {
		out.Rebalances = append(out.Rebalances, step.Rebalance{Type: step.Classic, TookMs: now - r.since})
	}
	r.is = false
}

// Explain says who decided what the members have.
func (g *Group) Explain() step.Explanation {
	e := step.Explanation{
		Group: g.id, Type: step.Classic, State: string(g.state), Epoch: g.generation, TargetEpoch: g.generation, Known: true,
		Assignor: g.protocol, Leader: g.leader, Why: g.rebalancing.why, DecidedAtMs: -1,
	}
	if g.state == Stable {
		e.DecidedAtMs = g.since
	}
	for _, m := range g.members.inOrder {
		one := step.ExplainedMember{ID: m.id, Instance: text(m.instanceID), Client: m.client}
		metadata, _ := m.metadata(g.protocol)
		topics := map[string]struct{}{}
		if g.protocolType == step.ConsumerProtocol && readTopics(metadata, topics) {
			one.Topics = slices.Sorted(maps.Keys(topics))
			one.Partitions = heldOf(m.assignment)
		}
		one.Waits = m.join.is || m.sync.is
		e.Members = append(e.Members, one)
	}
	return e
}

// heldOf reads the assignment of a consumer; nil if it cannot be read, as that
// of a client that has its own form.
func heldOf(assignment []byte) (held []step.ExplainedPartition) {
	var a kmsg.ConsumerMemberAssignment
	if len(assignment) == 0 || a.ReadFrom(assignment) != nil {
		return nil
	}
	for _, t := range a.Topics {
		for _, number := range t.Partitions {
			held = append(held, step.ExplainedPartition{Topic: t.Topic, Partition: number, State: step.PartitionHeld})
		}
	}
	return held
}
