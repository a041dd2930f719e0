package classic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

func requestIn(d *datadriven.TestData) kmsg.Request {
	a, group := grouptest.ArgsOf(d), "g"
	if a.Has("group") {
		group = a["group"]
	}
	switch d.Cmd {
	case "join":
		return joinIn(group, a)
	case "sync":
		return syncIn(group, a, lines(d))
	case "heartbeat":
		return &kmsg.HeartbeatRequest{Version: 4, Group: group, MemberID: a["id"], InstanceID: a.Text("instance"), Generation: a.Number("gen")}
	default:
		return leaveIn(group, a, lines(d))
	}
}

func joinIn(group string, a grouptest.Args) *kmsg.JoinGroupRequest {
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.MemberID = 9, group, a["id"]
	r.InstanceID, r.Reason = a.Text("instance"), a.Text("reason")
	r.SessionTimeoutMillis, r.RebalanceTimeoutMillis, r.ProtocolType = 10_000, 60_000, "consumer"
	grouptest.Take(a, "v", &r.Version)
	grouptest.Take(a, "session", &r.SessionTimeoutMillis)
	grouptest.Take(a, "rebalance", &r.RebalanceTimeoutMillis)
	if a.Has("type") {
		r.ProtocolType = a["type"]
	}
	metadata := []byte(a["metadata"])
	if r.ProtocolType == step.ConsumerProtocol && len(metadata) == 0 {
		metadata = subscription(a.ListOr("topics", "t"))
	}
	for _, name := range a.ListOr("protocols", "range") {
		r.Protocols = append(r.Protocols, kmsg.JoinGroupRequestProtocol{Name: name, Metadata: metadata})
	}
	return r
}

func syncIn(group string, a grouptest.Args, shares []string) *kmsg.SyncGroupRequest {
	r := kmsg.NewPtrSyncGroupRequest()
	r.Version, r.Group, r.MemberID, r.Generation = 3, group, a["id"], a.Number("gen")
	r.InstanceID, r.ProtocolType, r.Protocol = a.Text("instance"), a.Text("type"), a.Text("protocol")
	grouptest.Take(a, "v", &r.Version)
	for _, line := range shares {
		id, share, _ := strings.Cut(line, " ")
		r.GroupAssignment = append(r.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{MemberID: id, MemberAssignment: []byte(share)})
	}
	return r
}

func leaveIn(group string, a grouptest.Args, members []string) *kmsg.LeaveGroupRequest {
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version, r.Group = 5, group
	grouptest.Take(a, "v", &r.Version)
	for _, line := range members {
		id, instance, _ := strings.Cut(line, " ")
		if id == "-" {
			id = ""
		}
		r.MemberID = id
		r.Members = append(r.Members, kmsg.LeaveGroupRequestMember{MemberID: id, InstanceID: nullable(instance)})
	}
	return r
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
			return "sync: " + grouptest.Code(r.ErrorCode)
		}
		return fmt.Sprintf("sync: %s/%s has %q", text(r.ProtocolType), text(r.Protocol), r.MemberAssignment)
	case *kmsg.HeartbeatResponse:
		return "heartbeat: " + grouptest.Code(r.ErrorCode)
	case *kmsg.LeaveGroupResponse:
		said := "leave: " + grouptest.Code(r.ErrorCode)
		for _, m := range r.Members {
			said += fmt.Sprintf(" %q%s %s", m.MemberID, instance(m.InstanceID), grouptest.Code(m.ErrorCode))
		}
		return said
	}
	return fmt.Sprintf("%T", r)
}

func joinText(r *kmsg.JoinGroupResponse) string {
	if r.ErrorCode != 0 {
		return fmt.Sprintf("join: %s, id %q", grouptest.Code(r.ErrorCode), r.MemberID)
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
