package classic

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// severalLeaveVersion is the version of LeaveGroup from which on several
// members can be taken out by one request, as an admin does.
const severalLeaveVersion = 3

// Leave takes a LeaveGroup that Refuse has let pass.
func (g *Group) Leave(now int64, to step.Token, req *kmsg.LeaveGroupRequest, out *step.Output) {
	if g.state == Dead {
		out.Answer(to, leaveError(kerr.CoordinatorNotAvailable))
		return
	}
	asked := leaving(req)
	answers := make([]kmsg.LeaveGroupResponseMember, 0, len(asked))
	before := g.Size()
	for _, m := range asked {
		answers = append(answers, leaveAnswer(m, g.leave(m, out)))
	}
	out.Answer(to, leaveResponse(req, answers))
	if gone := before - g.Size(); gone > 0 {
		g.rebalance(now, out, fmt.Sprintf("%d of %d members leave", gone, before))
		return
	}
	g.completeIfJoined(now, out)
}

// leave takes out one member, or one that is to come.
func (g *Group) leave(who kmsg.LeaveGroupRequestMember, out *step.Output) *kerr.Error {
	id := who.MemberID
	if g.forgetPending(id) {
		g.note(out, "pending member %s leaves: %s", id, said(who.Reason))
		return nil
	}
	if id == "" && who.InstanceID != nil {
		// An admin knows a static member by its instance id alone.
		if m := g.members.byInstance[*who.InstanceID]; m != nil {
			id = m.id
		}
	}
	m, err := g.member(id, who.InstanceID)
	if err != nil {
		return err
	}
	g.note(out, "member %s leaves: %s", m.id, said(who.Reason))
	g.remove(m, out)
	return nil
}

// leaving is who leaves by a request of any version.
func leaving(req *kmsg.LeaveGroupRequest) []kmsg.LeaveGroupRequestMember {
	if req.Version < severalLeaveVersion {
		return []kmsg.LeaveGroupRequestMember{{MemberID: req.MemberID}}
	}
	return req.Members
}

func leaveAnswer(m kmsg.LeaveGroupRequestMember, err *kerr.Error) kmsg.LeaveGroupResponseMember {
	r := kmsg.LeaveGroupResponseMember{MemberID: m.MemberID, InstanceID: m.InstanceID}
	if err != nil {
		r.ErrorCode = err.Code
	}
	return r
}

// leaveResponse is the answer in the form of the request's version: where only
// one could leave, its error is that of the whole.
func leaveResponse(req *kmsg.LeaveGroupRequest, members []kmsg.LeaveGroupResponseMember) *kmsg.LeaveGroupResponse {
	r := kmsg.NewPtrLeaveGroupResponse()
	if req.Version < severalLeaveVersion {
		r.ErrorCode = members[0].ErrorCode
	} else {
		r.Members = members
	}
	return r
}

func leaveError(err *kerr.Error) *kmsg.LeaveGroupResponse {
	r := kmsg.NewPtrLeaveGroupResponse()
	r.ErrorCode = err.Code
	return r
}
