package grouptest

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Code is the name of an error code, ok for none.
func Code(code int16) string {
	if err := kerr.TypedErrorForCode(code); err != nil {
		return err.Message
	}
	return "ok"
}

// ClassicAnswer writes a response of the classic protocol to a consumer. It
// reports false for another.
func ClassicAnswer(response kmsg.Response) (string, bool) {
	switch r := response.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode != 0 {
			return fmt.Sprintf("%s member=%s", Code(r.ErrorCode), r.MemberID), true
		}
		return fmt.Sprintf("joined member=%s generation=%d protocol=%s/%s leader=%s members=%d",
			r.MemberID, r.Generation, *r.ProtocolType, *r.Protocol, r.LeaderID, len(r.Members)), true
	case *kmsg.SyncGroupResponse:
		if r.ErrorCode != 0 {
			return Code(r.ErrorCode), true
		}
		return fmt.Sprintf("synced protocol=%s/%s, has %s", orNone(r.ProtocolType), orNone(r.Protocol), AssignmentText(r.MemberAssignment)), true
	case *kmsg.HeartbeatResponse:
		return "heartbeat " + Code(r.ErrorCode), true
	case *kmsg.LeaveGroupResponse:
		text := "left " + Code(r.ErrorCode)
		for _, m := range r.Members {
			text += fmt.Sprintf(" %s:%s", m.MemberID, Code(m.ErrorCode))
		}
		return text, true
	}
	return "", false
}

func orNone(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

// AssignmentText writes what [Assignment] makes.
func AssignmentText(encoded []byte) string {
	if len(encoded) == 0 {
		return "nothing"
	}
	assignment := kmsg.NewConsumerMemberAssignment()
	if err := assignment.ReadFrom(encoded); err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("v%d", assignment.Version)
	for _, topic := range assignment.Topics {
		text += fmt.Sprintf(" %s%v", topic.Topic, topic.Partitions)
	}
	return text
}
