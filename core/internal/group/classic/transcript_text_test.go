package classic

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

func requestIn(t *testing.T, d *datadriven.TestData) kmsg.Request {
	switch d.Cmd {
	case "join":
		return joinIn(t, d)
	case "sync":
		return syncIn(t, d)
	case "heartbeat":
		r := kmsg.NewPtrHeartbeatRequest()
		r.Version, r.Group, r.MemberID = 4, groupIn(t, d), argument(t, d, "id")
		r.InstanceID = nullable(argument(t, d, "instance"))
		d.ScanArgs(t, "gen", &r.Generation)
		return r
	default:
		return leaveIn(t, d)
	}
}

func joinIn(t *testing.T, d *datadriven.TestData) *kmsg.JoinGroupRequest {
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.MemberID = 9, groupIn(t, d), argument(t, d, "id")
	r.InstanceID, r.Reason = nullable(argument(t, d, "instance")), nullable(argument(t, d, "reason"))
	r.SessionTimeoutMillis, r.RebalanceTimeoutMillis, r.ProtocolType = 10_000, 60_000, "consumer"
	d.MaybeScanArgs(t, "v", &r.Version)
	d.MaybeScanArgs(t, "session", &r.SessionTimeoutMillis)
	d.MaybeScanArgs(t, "rebalance", &r.RebalanceTimeoutMillis)
	if d.HasArg("type") {
		r.ProtocolType = argument(t, d, "type")
	}
	metadata := []byte(argument(t, d, "metadata"))
	if r.ProtocolType == step.ConsumerProtocol && len(metadata) == 0 {
		metadata = subscription(listIn(d, "topics", "t"))
	}
	for _, name := range listIn(d, "protocols", "range") {
		r.Protocols = append(r.Protocols, kmsg.JoinGroupRequestProtocol{Name: name, Metadata: metadata})
	}
	return r
}

func syncIn(t *testing.T, d *datadriven.TestData) *kmsg.SyncGroupRequest {
	r := kmsg.NewPtrSyncGroupRequest()
	r.Version, r.Group, r.MemberID = 3, groupIn(t, d), argument(t, d, "id")
	r.InstanceID = nullable(argument(t, d, "instance"))
	r.ProtocolType, r.Protocol = nullable(argument(t, d, "type")), nullable(argument(t, d, "protocol"))
	d.ScanArgs(t, "gen", &r.Generation)
	d.MaybeScanArgs(t, "v", &r.Version)
	for _, line := range lines(d) {
		id, share, _ := strings.Cut(line, " ")
		r.GroupAssignment = append(r.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{MemberID: id, MemberAssignment: []byte(share)})
	}
	return r
}

func leaveIn(t *testing.T, d *datadriven.TestData) *kmsg.LeaveGroupRequest {
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version, r.Group = 5, groupIn(t, d)
	d.MaybeScanArgs(t, "v", &r.Version)
	for _, line := range lines(d) {
		id, instance, _ := strings.Cut(line, " ")
		if id == "-" {
			id = ""
		}
		r.MemberID = id
		r.Members = append(r.Members, kmsg.LeaveGroupRequestMember{MemberID: id, InstanceID: nullable(instance)})
	}
	return r
}

// groupIn is "g", if the command does not have another.
func groupIn(t *testing.T, d *datadriven.TestData) string {
	if d.HasArg("group") {
		return argument(t, d, "group")
	}
	return "g"
}

func argument(t *testing.T, d *datadriven.TestData, name string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name {
			return strings.Join(a.Vals, ",")
		}
	}
	return ""
}

func listIn(d *datadriven.TestData, name, otherwise string) []string {
	for _, a := range d.CmdArgs {
		if a.Key == name {
			return slices.DeleteFunc(slices.Clone(a.Vals), func(v string) bool { return v == "" })
		}
	}
	return []string{otherwise}
}

func lines(d *datadriven.TestData) []string {
	if d.Input == "" {
		return nil
	}
	return strings.Split(d.Input, "\n")
}

func subscription(topics []string) []byte {
	m := kmsg.NewConsumerMemberMetadata()
	m.Topics = topics
	return m.AppendTo(nil)
}

func verdict(err *kerr.Error) string {
	if err == nil {
		return "ok"
	}
	return err.Message
}

func code(c int16) string {
	if err := kerr.TypedErrorForCode(c); err != nil {
		return err.Message
	}
	return "ok"
}

func instance(id *string) string {
	if id == nil {
		return ""
	}
	return "/" + *id
}

func metadataText(metadata []byte) string {
	topics := map[string]struct{}{}
	if len(metadata) > 0 && readTopics(metadata, topics) {
		return fmt.Sprint(sortedKeys(topics))
	}
	return fmt.Sprintf("%q", metadata)
}

func sortedKeys(topics map[string]struct{}) []string { return slices.Sorted(maps.Keys(topics)) }

func answerText(r kmsg.Response) string {
	switch r := r.(type) {
	case *kmsg.JoinGroupResponse:
		return joinText(r)
	case *kmsg.SyncGroupResponse:
		if r.ErrorCode != 0 {
			return "sync: " + code(r.ErrorCode)
		}
		return fmt.Sprintf("sync: %s/%s has %q", text(r.ProtocolType), text(r.Protocol), r.MemberAssignment)
	case *kmsg.HeartbeatResponse:
		return "heartbeat: " + code(r.ErrorCode)
	case *kmsg.LeaveGroupResponse:
		said := "leave: " + code(r.ErrorCode)
		for _, m := range r.Members {
			said += fmt.Sprintf(" %q%s %s", m.MemberID, instance(m.InstanceID), code(m.ErrorCode))
		}
		return said
	}
	return fmt.Sprintf("%T", r)
}

func joinText(r *kmsg.JoinGroupResponse) string {
	if r.ErrorCode != 0 {
		return fmt.Sprintf("join: %s, id %q", code(r.ErrorCode), r.MemberID)
	}
	said := fmt.Sprintf("join: %s in generation %d by %s/%s, led by %s", r.MemberID, r.Generation, text(r.ProtocolType), text(r.Protocol), r.LeaderID)
	if r.SkipAssignment {
		said += ", skips the assignment"
	}
	for _, m := range r.Members {
		said += fmt.Sprintf("; %s%s says %s", m.MemberID, instance(m.InstanceID), metadataText(m.ProtocolMetadata))
	}
	return said
}

func recordText(r grouplog.Record) string {
	v, ok := r.Value.(*grouplog.ClassicGroup)
	if !ok {
		return fmt.Sprintf("record %v: tombstone", r.Key)
	}
	said := fmt.Sprintf("record %v: generation %d by %s/%s, led by %s, at %d", r.Key, v.Generation, v.ProtocolType, text(v.Protocol), text(v.Leader), v.CurrentStateTimestamp)
	for _, m := range v.Members {
		said += fmt.Sprintf("\n  %s%s client %s at %s, session %d, rebalance %d, says %s has %q",
			m.MemberID, instance(m.InstanceID), m.ClientID, m.ClientHost, m.SessionTimeoutMillis, m.RebalanceTimeoutMillis,
			metadataText(m.Subscription), m.Assignment)
	}
	return said
}
