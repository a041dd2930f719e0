package group

import (
	"strings"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// request makes the request of a command in the newest version, nil if there is
// no such command.
func (s *scenario) request(d *datadriven.TestData, a grouptest.Args) kmsg.Request {
	id := "g"
	if a.Has("group") {
		id = a["group"]
	}
	switch d.Cmd {
	case "join":
		return grouptest.Join(id, a)
	case "sync":
		return syncRequest(id, d.Input, a)
	case "beat":
		return &kmsg.HeartbeatRequest{Version: 4, Group: id, MemberID: a["member"], InstanceID: a.Text("instance"), Generation: a.Number("generation")}
	case "leave":
		return grouptest.Leave(id, a)
	case "heartbeat":
		return s.Heartbeat(id, a)
	case "commit":
		return s.commitRequest(id, a)
	case "fetch":
		return s.fetchRequest(id, a)
	case "delete-offsets":
		return deleteOffsetsRequest(id, a)
	}
	return aboutGroups(d)
}

// aboutGroups is for the commands that name groups in their words.
func aboutGroups(d *datadriven.TestData) kmsg.Request {
	var groups []string
	for _, arg := range d.CmdArgs {
		switch {
		case arg.Key == "none":
			groups = append(groups, "")
		case len(arg.Vals) == 0:
			groups = append(groups, arg.Key)
		}
	}
	switch d.Cmd {
	case "delete-groups":
		return &kmsg.DeleteGroupsRequest{Version: 3, Groups: groups}
	case "describe":
		return &kmsg.DescribeGroupsRequest{Version: 6, Groups: groups}
	case "describe-consumer":
		return &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: groups}
	}
	return nil
}

func syncRequest(id, input string, a grouptest.Args) *kmsg.SyncGroupRequest {
	kind, protocol := step.ConsumerProtocol, "range"
	if a.Has("type") {
		kind = a["type"]
	}
	q := &kmsg.SyncGroupRequest{Version: 5, Group: id, MemberID: a["member"], InstanceID: a.Text("instance"), Generation: a.Number("generation")}
	q.ProtocolType, q.Protocol = &kind, &protocol
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		q.GroupAssignment = append(q.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{
			MemberID: words[0], MemberAssignment: grouptest.Assignment(nil, words[1:]...),
		})
	}
	return q
}
