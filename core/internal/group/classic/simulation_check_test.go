package classic

import (
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// ask sends the request of a process, or of nobody in particular.
func (s *simulation) ask(p *process, req kmsg.Request) {
	s.tokens++
	to := s.tokens
	s.open[to], s.asked[to] = p, req
	client := step.Client{Host: "/host"}
	if p != nil {
		p.asked, client.ID = to, p.name
	}
	s.do(func(o *step.Output) {
		if Refuse(to, req, &s.world.settings, o) || !s.group.recorded && RefuseUnknown(to, req, o) {
			return
		}
		switch req := req.(type) {
		case *kmsg.JoinGroupRequest:
			s.group.Join(s.now, to, client, req, o)
		case *kmsg.SyncGroupRequest:
			s.group.Sync(s.now, to, req, o)
		case *kmsg.HeartbeatRequest:
			s.group.Heartbeat(s.now, to, req, o)
		case *kmsg.LeaveGroupRequest:
			s.group.Leave(s.now, to, req, o)
		}
	})
}

// do makes one step of the group and checks what came of it: that what is
// durable is what the records say, that each request is answered once and no
// request is lost, and what the answers are.
func (s *simulation) do(change func(*step.Output)) {
	var o step.Output
	change(&o)
	for _, r := range o.Records {
		s.log = append(s.log, r)
		s.follower.Apply(r)
	}
	looked := len(o.Records) > 0 || s.tokens%16 == 0
	if looked && (s.group.State() == Stable || s.group.State() == Empty) {
		require.Equal(s.t, durable(s.group), durable(s.follower))
	}
	for _, a := range o.Answers {
		p, ok := s.open[a.To]
		require.True(s.t, ok, "request %d is answered twice", a.To)
		s.check(s.asked[a.To], a.Response)
		delete(s.open, a.To)
		delete(s.asked, a.To)
		if p != nil {
			p.take(a.Response)
		}
	}
	waiting := 0
	for _, m := range s.group.members.inOrder {
		waiting += one(m.join.is) + one(m.sync.is)
	}
	require.Equal(s.t, waiting, len(s.open), "requests have been lost")
	requireWhole(s.t, s.group)
}

// check looks at what members are told: of a generation one alone is to decide,
// and each share is one member's, or that of processes with one instance id.
func (s *simulation) check(req kmsg.Request, r kmsg.Response) {
	switch r := r.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode != 0 || len(r.Members) == 0 || r.SkipAssignment {
			return
		}
		require.Equal(s.t, r.LeaderID, r.MemberID)
		require.Contains(s.t, []string{"", r.MemberID}, s.leaders[r.Generation], "two lead generation %d", r.Generation)
		s.leaders[r.Generation] = r.MemberID
		for _, m := range r.Members {
			require.NotEmpty(s.t, m.ProtocolMetadata)
		}
	case *kmsg.SyncGroupResponse:
		if r.ErrorCode == 0 {
			s.checkShare(req.(*kmsg.SyncGroupRequest), string(r.MemberAssignment))
		}
	}
}

func (s *simulation) checkShare(req *kmsg.SyncGroupRequest, share string) {
	who := process{id: req.MemberID, instance: req.InstanceID}
	if share != "" {
		require.Contains(s.t, []string{"", who.identity()}, s.owners[share], "%s is of two", share)
		s.owners[share] = who.identity()
		decision, _, _ := strings.Cut(share, "/")
		require.Contains(s.t, []string{"", decision}, s.decisions[req.Generation], "generation %d was decided twice", req.Generation)
		s.decisions[req.Generation] = decision
	}
	require.GreaterOrEqual(s.t, req.Generation, s.syncedUpTo)
	s.syncedUpTo = req.Generation
}
