package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Heartbeat takes a Heartbeat that Refuse has let pass.
func (g *Group) Heartbeat(now int64, to step.Token, req *kmsg.HeartbeatRequest, out *step.Output) {
	out.Answer(to, heartbeatError(g.heartbeat(now, req)))
}

func (g *Group) heartbeat(now int64, req *kmsg.HeartbeatRequest) *kerr.Error {
	if g.state == Dead {
		return kerr.CoordinatorNotAvailable
	}
	m, err := g.member(req.MemberID, req.InstanceID)
	if err != nil {
		return err
	}
	if req.Generation != g.generation {
		return kerr.IllegalGeneration
	}
	g.keepAlive(now, m)
	if g.state == PreparingRebalance {
		return kerr.RebalanceInProgress
	}
	return nil
}

// CheckCommit says whether an OffsetCommit may be accepted. One that a member
// may make keeps it alive. Without a member and with a generation below 0 it
// comes from a consumer that is in no group, or an admin: then the group must
// be empty.
func (g *Group) CheckCommit(now int64, memberID string, instanceID *string, generation int32) *kerr.Error {
	switch {
	case g.state == Dead:
		return kerr.CoordinatorNotAvailable
	case generation < 0 && g.state == Empty:
		return nil
	}
	m, err := g.member(memberID, instanceID)
	switch {
	case err != nil:
		return err
	case generation != g.generation:
		return kerr.IllegalGeneration
	case g.state == CompletingRebalance:
		return kerr.RebalanceInProgress
	}
	g.keepAlive(now, m)
	return nil
}

// keepAlive begins a member's session anew.
func (g *Group) keepAlive(now int64, m *member) {
	g.sessions.Set(&m.session, now+int64(m.sessionTimeoutMillis))
}

// sessionOver takes out whoever was not heard of in time.
func (g *Group) sessionOver(now int64, s *session, out *step.Output) {
	g.sessions.Remove(s)
	if g.pending.byID[s.Value] == s {
		g.note(out, "pending member %s has not joined in time", s.Value)
		g.pending.remove(s.Value)
		g.completeIfLeft(now, out)
		return
	}
	m := g.members.byID[s.Value]
	if !m.isNew && (m.join.is || m.sync.is) {
		// It is the group that has yet to answer. The session begins anew when
		// it does.
		return
	}
	g.remove(m, out)
	why := "member " + m.id + " has not been heard of in time"
	if g.state == PreparingRebalance {
		g.note(out, "%s", why)
		g.completeIfLeft(now, out)
		return
	}
	g.prepare(now, why, out)
}

// completeIfLeft is completeIfJoined after one is gone without a word: then
// even an initial rebalance goes on with those who have joined.
func (g *Group) completeIfLeft(now int64, out *step.Output) {
	if g.state == PreparingRebalance && g.allJoined() {
		g.complete(now, out)
	}
}
