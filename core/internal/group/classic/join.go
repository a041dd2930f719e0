package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// newMemberJoinTimeoutMs is how long a new member waits in its first rebalance:
// a client that is gone cannot be told from one that waits, and each attempt of
// a client that gives up and tries again is another new member (KAFKA-7610).
const newMemberJoinTimeoutMs = 5 * 60 * 1000

// Version of JoinGroup from which on a client is to know its member id when it
// joins (KIP-394), and from which on a leader can be told that nothing is to be
// assigned (KIP-814).
const (
	knownMemberIDVersion  = 4
	skipAssignmentVersion = 9
)

// joining is one JoinGroup. The output of the step stays outside: what a group
// keeps of this struct would move the output of every request to the heap.
type joining struct {
	now    int64
	to     step.Token
	client step.Client
	req    *kmsg.JoinGroupRequest
}

func (j joining) refuse(memberID string, err *kerr.Error, out *step.Output) {
	out.Answer(j.to, joinError(memberID, err))
}

// reason is what the client gives as its reason (KIP-800).
func (j joining) reason() string { return said(j.req.Reason) }

func said(reason *string) string {
	if reason == nil || *reason == "" {
		return "no reason given"
	}
	return *reason
}

// rebalanceTimeout is that of a request; version 0 has only a session timeout.
func rebalanceTimeout(req *kmsg.JoinGroupRequest) int32 {
	if req.Version == 0 {
		return req.SessionTimeoutMillis
	}
	return req.RebalanceTimeoutMillis
}

// Join takes a JoinGroup that Refuse has let pass.
func (g *Group) Join(now int64, to step.Token, c step.Client, req *kmsg.JoinGroupRequest, out *step.Output) {
	j := joining{now, to, c, req}
	if g.state == Dead {
		j.refuse(req.MemberID, kerr.CoordinatorNotAvailable, out)
		return
	}
	if !g.recorded {
		g.record(now, g.assigned, out)
	}
	switch {
	case !g.hasRoom(req.MemberID), !g.hasRoomFor(j):
		g.turnAway(j, out)
	case !g.speaks(req):
		j.refuse(req.MemberID, kerr.InconsistentGroupProtocol, out)
	case req.MemberID == "" && req.InstanceID != nil:
		g.joinStatic(j, out)
	case req.MemberID == "":
		g.joinDynamic(j, out)
	default:
		g.joinAgain(j, out)
	}
}

// speaks reports whether the joiner can be in the group: of the same type of
// protocol, with a protocol that all others support.
func (g *Group) speaks(req *kmsg.JoinGroupRequest) bool {
	if g.state == Empty {
		return req.ProtocolType != "" && len(req.Protocols) > 0
	}
	if req.ProtocolType != g.protocolType {
		return false
	}
	for _, p := range req.Protocols {
		if g.members.supportedByAll(p.Name) {
			return true
		}
	}
	return false
}

// joinDynamic takes a client that has no member id yet. It is given one, and is
// a member when it comes back with it; otherwise a client whose connection
// breaks would leave a member behind at each attempt.
func (g *Group) joinDynamic(j joining, out *step.Output) {
	id := j.client.ID + "-" + g.world.NewID()
	if j.req.Version < knownMemberIDVersion {
		g.admit(j, id, out)
		return
	}
	g.sessions.Set(g.pending.add(id), j.now+int64(j.req.SessionTimeoutMillis))
	j.refuse(id, kerr.MemberIDRequired, out)
}

// joinAgain takes a client that has a member id.
func (g *Group) joinAgain(j joining, out *step.Output) {
	if g.pending.has(j.req.MemberID) {
		if j.req.InstanceID != nil {
			// Static members are never asked to come back. Kafka has no better
			// answer.
			j.refuse("", kerr.UnknownServerError, out)
			return
		}
		g.admit(j, j.req.MemberID, out)
		return
	}
	m, err := g.member(j.req.MemberID, j.req.InstanceID)
	if err != nil {
		j.refuse(j.req.MemberID, err, out)
		return
	}
	changed := !m.says(j.req.Protocols)
	switch {
	case g.state == CompletingRebalance && !changed,
		g.state == Stable && !changed && m.id != g.leader:
		// The answer was lost, and is given again.
		out.Answer(j.to, g.joined(m))
		return
	}
	g.members.update(m, j.req)
	g.awaitJoin(m, j.to, out)
	again := " joins again: "
	if changed {
		again = " joins again with other metadata: "
	}
	g.rebalance(j.now, out, "member ", m.id, again, j.reason())
}

// admit adds a member.
func (g *Group) admit(j joining, id string, out *step.Output) {
	g.forgetPending(id)
	m := &member{
		id: id, instanceID: j.req.InstanceID, client: j.client, isNew: true,
		session: session{Value: id},
	}
	if g.Size() == 0 {
		g.protocolType, g.leader = j.req.ProtocolType, id
	}
	g.members.add(m)
	g.members.update(m, j.req)
	g.awaitJoin(m, j.to, out)
	g.sessions.Set(&m.session, j.now+newMemberJoinTimeoutMs)
	g.initial.grown = true
	g.rebalance(j.now, out, "member ", id, " joins: ", j.reason())
}
