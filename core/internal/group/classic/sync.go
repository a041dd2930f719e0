package classic

import (
	"bytes"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Sync takes a SyncGroup that Refuse has let pass.
func (g *Group) Sync(now int64, to step.Token, req *kmsg.SyncGroupRequest, out *step.Output) {
	m, err := g.syncing(req)
	if err != nil {
		out.Answer(to, syncError(err))
		return
	}
	g.members.setUnsynced(m, false)
	if g.members.unsynced == 0 {
		g.syncBy = step.Never
	}
	if g.state == Stable {
		out.Answer(to, g.synced(m))
		return
	}
	g.awaitSync(m, to, out)
	if m.id == g.leader {
		g.decide(now, req, out)
	}
}

// syncing finds the member that may sync now.
func (g *Group) syncing(req *kmsg.SyncGroupRequest) (*member, *kerr.Error) {
	if g.state == Dead {
		return nil, kerr.CoordinatorNotAvailable
	}
	m, err := g.member(req.MemberID, req.InstanceID)
	switch {
	case err != nil:
		return nil, err
	case req.Generation != g.generation:
		return nil, kerr.IllegalGeneration
	case differs(req.ProtocolType, g.protocolType), differs(req.Protocol, g.protocol):
		return nil, kerr.InconsistentGroupProtocol
	case g.state == PreparingRebalance:
		return nil, kerr.RebalanceInProgress
	}
	return m, nil
}

// differs reports whether a client names another protocol than the group's;
// before version 5 it names none.
func differs(named *string, is string) bool { return named != nil && *named != is }

// decide takes what the leader has decided, and tells those who wait for it.
func (g *Group) decide(now int64, req *kmsg.SyncGroupRequest, out *step.Output) {
	decided := make(map[string][]byte, len(req.GroupAssignment))
	for _, a := range req.GroupAssignment {
		decided[a.MemberID] = bytes.Clone(a.MemberAssignment)
	}
	g.record(now, func(m *member) []byte { return decided[m.id] }, out)
	g.rebalancing.end(now, out)
	forgotten := 0
	for _, m := range g.members.inOrder {
		if _, ok := decided[m.id]; !ok {
			forgotten++
		}
		if m.sync.is {
			g.answerSync(m, g.synced(m), out)
			g.keepAlive(now, m)
		}
	}
	g.note(out, "generation %d is stable", g.generation)
	if forgotten > 0 {
		g.note(out, "leader %s has assigned nothing to %d of %d members", g.leader, forgotten, g.Size())
	}
}
