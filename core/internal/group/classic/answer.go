package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

func joinError(memberID string, err *kerr.Error) *kmsg.JoinGroupResponse {
	r := kmsg.NewPtrJoinGroupResponse()
	r.MemberID, r.ErrorCode = memberID, err.Code
	return r
}

func syncError(err *kerr.Error) *kmsg.SyncGroupResponse {
	r := kmsg.NewPtrSyncGroupResponse()
	r.ErrorCode = err.Code
	return r
}

func heartbeatError(err *kerr.Error) *kmsg.HeartbeatResponse {
	r := kmsg.NewPtrHeartbeatResponse()
	if err != nil {
		r.ErrorCode = err.Code
	}
	return r
}

// joined is the answer to a member that is in the generation. The leader gets
// to know all members.
func (g *Group) joined(m *member) *kmsg.JoinGroupResponse {
	r := kmsg.NewPtrJoinGroupResponse()
	r.Generation, r.MemberID, r.LeaderID = g.generation, m.id, g.leader
	r.ProtocolType, r.Protocol = nullable(g.protocolType), nullable(g.protocol)
	if m.id != g.leader {
		return r
	}
	r.Members = make([]kmsg.JoinGroupResponseMember, 0, g.Size())
	for _, each := range g.members.inOrder {
		metadata, _ := each.metadata(g.protocol)
		r.Members = append(r.Members, kmsg.JoinGroupResponseMember{
			MemberID: each.id, InstanceID: each.instanceID, ProtocolMetadata: metadata,
		})
	}
	return r
}

// synced is the answer to a member that gets its share.
func (g *Group) synced(m *member) *kmsg.SyncGroupResponse {
	r := kmsg.NewPtrSyncGroupResponse()
	r.ProtocolType, r.Protocol = nullable(g.protocolType), nullable(g.protocol)
	r.MemberAssignment = m.assignment
	return r
}

// awaitJoin has a member wait until all have joined. If it waits already, by
// another connection, the older request is told to try again.
func (g *Group) awaitJoin(m *member, to step.Token, out *step.Output) {
	if m.join.is {
		g.answerJoin(m, joinError(m.id, kerr.RebalanceInProgress), out)
	}
	m.join = waiting{to, true}
	g.members.joining++
}

// awaitSync has a member wait for the leader, as awaitJoin does.
func (g *Group) awaitSync(m *member, to step.Token, out *step.Output) {
	if m.sync.is {
		g.answerSync(m, syncError(kerr.RebalanceInProgress), out)
	}
	m.sync = waiting{to, true}
}

func (g *Group) answerJoin(m *member, r *kmsg.JoinGroupResponse, out *step.Output) {
	if !m.join.is {
		return
	}
	out.Answer(m.join.token, r)
	m.join = waiting{}
	g.members.joining--
}

func (g *Group) answerSync(m *member, r *kmsg.SyncGroupResponse, out *step.Output) {
	if !m.sync.is {
		return
	}
	out.Answer(m.sync.token, r)
	m.sync = waiting{}
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
