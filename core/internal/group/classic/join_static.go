package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/group/step"
)

// joinStatic takes a client that has an instance id and no member id: a process
// that has just started (KIP-345).
func (g *Group) joinStatic(j joining, out *step.Output) {
	id := *j.req.InstanceID + "-" + g.world.NewID()
	m := g.members.byInstance[*j.req.InstanceID]
	if m == nil {
		g.admit(j, id, out)
		return
	}
	leaderBefore := g.leader
	g.replace(j, m, id, out)
	switch {
	case g.state == Stable && g.members.choose() == g.protocol:
		g.record(j.now, g.assigned, out)
		g.resume(j, m, leaderBefore, out)
	case g.state == PreparingRebalance:
		g.completeIfJoined(j.now, out)
	default:
		g.prepare(j.now, "static member "+m.id+" joins in the place of another: "+j.reason(), out)
	}
}

// replace has a new process take the place of a static member. Whatever the old
// one asks from now on, and what it waits for, is refused.
func (g *Group) replace(j joining, m *member, id string, out *step.Output) {
	g.answerJoin(m, joinError(m.id, kerr.FencedInstanceID), out)
	g.answerSync(m, syncError(kerr.FencedInstanceID), out)
	if g.leader == m.id {
		g.leader = id
	}
	g.members.rename(m, id, j.client)
	m.isNew = false
	g.members.update(m, j.req)
	g.awaitJoin(m, j.to, out)
	g.keepAlive(j.now, m)
}

// resume answers a static member that goes on where the process before it
// ended: the generation and all assignments stay. If it is the leader, it must
// not assign anew. Clients that cannot be told so are told the id of a leader
// that is nobody's (KIP-814).
func (g *Group) resume(j joining, m *member, leaderBefore string, out *step.Output) {
	r := g.joined(m)
	if j.req.Version >= skipAssignmentVersion {
		r.SkipAssignment = m.id == g.leader
	} else {
		r.LeaderID, r.Members = leaderBefore, nil
	}
	g.answerJoin(m, r, out)
}
