package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Refuse answers a JoinGroup, SyncGroup, Heartbeat or LeaveGroup that is wrong
// in itself, whatever the group. It reports whether it did.
func Refuse(to step.Token, req kmsg.Request, s *step.Settings, out *step.Output) bool {
	switch req := req.(type) {
	case *kmsg.JoinGroupRequest:
		if req.Group == "" {
			out.Answer(to, joinError(req.MemberID, kerr.InvalidGroupID))
			return true
		}
		if req.SessionTimeoutMillis < s.MinSessionTimeoutMs || req.SessionTimeoutMillis > s.MaxSessionTimeoutMs {
			out.Answer(to, joinError(req.MemberID, kerr.InvalidSessionTimeout))
			return true
		}
	case *kmsg.SyncGroupRequest:
		if req.Version >= 5 && (req.ProtocolType == nil || req.Protocol == nil) {
			out.Answer(to, syncError(kerr.InconsistentGroupProtocol))
			return true
		}
		if req.Group == "" {
			out.Answer(to, syncError(kerr.InvalidGroupID))
			return true
		}
	case *kmsg.HeartbeatRequest:
		if req.Group == "" {
			out.Answer(to, heartbeatError(kerr.InvalidGroupID))
			return true
		}
	case *kmsg.LeaveGroupRequest:
		if req.Group == "" {
			out.Answer(to, leaveError(kerr.InvalidGroupID))
			return true
		}
	}
	return false
}

// RefuseUnknown answers a request to a group that is not there: all but a
// JoinGroup without a member id, for which the group is to be made. It reports
// whether it did.
func RefuseUnknown(to step.Token, req kmsg.Request, out *step.Output) bool {
	switch req := req.(type) {
	case *kmsg.JoinGroupRequest:
		if req.MemberID == "" {
			return false
		}
		out.Answer(to, joinError(req.MemberID, kerr.UnknownMemberID))
	case *kmsg.SyncGroupRequest:
		out.Answer(to, syncError(kerr.UnknownMemberID))
	case *kmsg.HeartbeatRequest:
		out.Answer(to, heartbeatError(kerr.UnknownMemberID))
	case *kmsg.LeaveGroupRequest:
		left := make([]kmsg.LeaveGroupResponseMember, 0, len(req.Members))
		for _, m := range leaving(req) {
			left = append(left, leaveAnswer(m, kerr.UnknownMemberID))
		}
		out.Answer(to, leaveResponse(req, left))
	}
	return true
}
