package consumer

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// SyncClassic is a SyncGroup: a classic member fetches what it has.
func (g *Group) SyncClassic(now int64, to step.Token, r *kmsg.SyncGroupRequest, out *step.Output) {
	response := kmsg.NewPtrSyncGroupResponse()
	m, refused := g.classicMember(r.MemberID, r.InstanceID, r.Generation)
	if refused == nil {
		refused = g.checkSync(now, m, r)
	}
	if refused != nil {
		response.ErrorCode = refused.Code()
		out.Answer(to, response)
		return
	}
	g.timers.cancel(m, syncTimer)
	g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
	response.ProtocolType, response.Protocol = r.ProtocolType, r.Protocol
	response.MemberAssignment = g.assignmentOf(m)
	out.Answer(to, response)
}

func (g *Group) checkSync(now int64, m *member, r *kmsg.SyncGroupRequest) *refusal.Refusal {
	protocol := m.info.Classic.Protocols[0].Name
	switch {
	case r.ProtocolType != nil && *r.ProtocolType != step.ConsumerProtocol:
		return refusal.New(kerr.InconsistentGroupProtocol, "the protocol type of group %q is %q, not %q", g.id, step.ConsumerProtocol, *r.ProtocolType)
	case r.Protocol != nil && *r.Protocol != protocol:
		return refusal.New(kerr.InconsistentGroupProtocol, "member %q joined with protocol %q, not %q", m.id, protocol, *r.Protocol)
	case g.targetEpoch > m.current.epoch && m.current.state != unrevoked:
		g.joinWithin(now, m)
		return again(g.id)
	}
	return nil
}

func again(id string) *refusal.Refusal {
	return refusal.New(kerr.RebalanceInProgress, "the members of group %q must join again", id)
}

// joinWithin gives a classic member its rebalance timeout to join again; being
// told so a second time gives it no more.
func (g *Group) joinWithin(now int64, m *member) {
	if m.timers.deadlines[joinTimer] == step.Never {
		g.timers.set(m, joinTimer, now+int64(m.info.RebalanceTimeoutMillis))
	}
}

// HeartbeatClassic is a heartbeat of the classic protocol. A member that has to
// give up something, or can get something, is told to join again.
func (g *Group) HeartbeatClassic(now int64, to step.Token, r *kmsg.HeartbeatRequest, out *step.Output) {
	response := kmsg.NewPtrHeartbeatResponse()
	m, refused := g.classicMember(r.MemberID, r.InstanceID, r.Generation)
	if refused == nil {
		g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
		if g.mustJoin(m) {
			g.joinWithin(now, m)
			refused = again(g.id)
		}
	}
	response.ErrorCode = refused.Code()
	out.Answer(to, response)
}

func (g *Group) mustJoin(m *member) bool {
	return m.current.epoch < g.targetEpoch || m.current.state == unrevoked || m.current.state == unreleased && !g.waitsForOthers(m)
}

// waitsForOthers reports whether others still hold something of a target.
func (g *Group) waitsForOthers(m *member) bool {
	for _, p := range m.target {
		if owner := g.owners[p]; owner != nil && owner != m {
			return true
		}
	}
	return false
}

// classicMember finds who sends a request of the classic protocol.
func (g *Group) classicMember(id string, instance *string, generation int32) (*member, *refusal.Refusal) {
	m, refused := g.members[id], (*refusal.Refusal)(nil)
	if instance != nil {
		m, refused = g.staticMember(*instance, id)
	}
	switch {
	case refused != nil:
		return nil, refused
	case m == nil || !m.classic():
		return nil, g.unknownMember(id)
	case m.current.epoch != generation:
		return nil, refusal.New(kerr.IllegalGeneration, "member %q is in generation %d and not in %d", m.id, m.current.epoch, generation)
	}
	return m, nil
}

// LeaveClassic is a LeaveGroup: members of either protocol go for good.
func (g *Group) LeaveClassic(now int64, to step.Token, r *kmsg.LeaveGroupRequest, out *step.Output) {
	response := kmsg.NewPtrLeaveGroupResponse()
	leaving := r.Members
	if r.Version < 3 {
		one := kmsg.NewLeaveGroupRequestMember()
		one.MemberID = r.MemberID
		leaving = []kmsg.LeaveGroupRequestMember{one}
	}
	var members []*member
	for _, asked := range leaving {
		m, refused := g.leaving(asked)
		if refused == nil {
			members = append(members, m)
		}
		left := kmsg.NewLeaveGroupResponseMember()
		left.MemberID, left.InstanceID, left.ErrorCode = asked.MemberID, asked.InstanceID, refused.Code()
		response.Members = append(response.Members, left)
	}
	if r.Version < 3 {
		response.ErrorCode, response.Members = response.Members[0].ErrorCode, nil
	}
	g.remove(now, distinct(members), out)
	out.Answer(to, response)
}

// leaving finds a member that is to go. An admin names a static one by its
// instance id alone.
func (g *Group) leaving(asked kmsg.LeaveGroupRequestMember) (*member, *refusal.Refusal) {
	m := g.members[asked.MemberID]
	switch {
	case asked.InstanceID != nil && asked.MemberID != "":
		return g.staticMember(*asked.InstanceID, asked.MemberID)
	case asked.InstanceID != nil:
		m = g.statics[*asked.InstanceID]
	}
	if m == nil {
		return nil, g.unknownMember(asked.MemberID)
	}
	return m, nil
}

func distinct(members []*member) []*member {
	var once []*member
	seen := map[*member]bool{}
	for _, m := range members {
		if !seen[m] {
			once, seen[m] = append(once, m), true
		}
	}
	return once
}
