package consumer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

func (s *scenario) classic(t *testing.T, d *datadriven.TestData, a grouptest.Args, client step.Client, out *step.Output) string {
	switch d.Cmd {
	case "join":
		s.group.JoinClassic(s.now, s.token, client, grouptest.Join("g", a), out)
	case "sync":
		r := kmsg.NewPtrSyncGroupRequest()
		r.MemberID, r.InstanceID, r.Generation = a["member"], a.Text("instance"), a.Number("generation")
		r.ProtocolType, r.Protocol = a.Text("type"), a.Text("protocol")
		s.group.SyncClassic(s.now, s.token, r, out)
	case "beat":
		r := kmsg.NewPtrHeartbeatRequest()
		r.MemberID, r.InstanceID, r.Generation = a["member"], a.Text("instance"), a.Number("generation")
		s.group.HeartbeatClassic(s.now, s.token, r, out)
	case "leave":
		s.group.LeaveClassic(s.now, s.token, grouptest.Leave("g", a), out)
	case "upgrade":
		return s.upgrade(d.Input, a, client, out)
	case "downgrade":
		text := fmt.Sprintf("downgradable: %v\n", s.group.Downgradable())
		generation, members, rebalance := s.group.ToClassic(out)
		text += fmt.Sprintf("rebalance: %v\n", rebalance)
		for _, m := range members {
			text += fmt.Sprintf("generation %d: %s of %s%s session=%d rebalance=%d protocols=%d has %s\n", generation, m.ID, m.Client.ID, m.Client.Host,
				m.SessionTimeoutMillis, m.RebalanceTimeoutMillis, len(m.Protocols), grouptest.AssignmentText(m.Assignment))
		}
		return text
	}
	return ""
}

// upgrade reads a member a line: ID topics=a,b assignment=a:0:1 [sticky=a,b]. The
// group has protocol "range", which a member that has another prefers less.
func (s *scenario) upgrade(input string, a grouptest.Args, client step.Client, out *step.Output) string {
	from := Classic{ProtocolType: step.ConsumerProtocol, Protocol: "range", Generation: a.Number("generation")}
	if a.Has("undecided") {
		from.Protocol = ""
	}
	if a.Has("type") {
		from.ProtocolType = a["type"]
	}
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		m := grouptest.Args{}
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			m[key] = value
		}
		protocols := []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: grouptest.Subscription(m)}}
		if m.Has("sticky") {
			preferred := kmsg.JoinGroupRequestProtocol{Name: "sticky", Metadata: grouptest.Subscription(grouptest.Args{"topics": m["sticky"]})}
			protocols = append([]kmsg.JoinGroupRequestProtocol{preferred}, protocols...)
		}
		var data []byte
		if m.Has("data") {
			data = []byte(m["data"])
		}
		from.Members = append(from.Members, classic.Member{
			ID: words[0], Client: client, SessionTimeoutMillis: 10_000, RebalanceTimeoutMillis: 5_000,
			Protocols: protocols, Assignment: grouptest.Assignment(data, m.List("assignment")...),
		})
	}
	g, refused := FromClassic(s.now, "g", s.world, from, out)
	if refused != nil {
		return refused.Error() + "\n"
	}
	s.group = g
	return ""
}
