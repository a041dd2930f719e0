package group

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

func (m *Machine) consumerHeartbeat(now int64, to step.Token, from step.Client, q *kmsg.ConsumerGroupHeartbeatRequest, out *step.Output) {
	refused := consumer.Check(q, m.world.Settings(q.Group))
	var e *entry
	if refused == nil {
		e, refused = m.consumerGroup(q, out)
	}
	if refused != nil {
		out.Answer(to, refusedHeartbeat(refused))
		return
	}
	if e.consumer == nil {
		m.upgrade(now, to, from, q, e, out)
	} else {
		e.consumer.Heartbeat(now, to, from, q, out)
	}
	m.settle(now, e, out)
}

func refusedHeartbeat(r *refusal.Refusal) *kmsg.ConsumerGroupHeartbeatResponse {
	response := kmsg.NewPtrConsumerGroupHeartbeatResponse()
	response.ErrorCode, response.ErrorMessage = r.Outcome()
	return response
}

// consumerGroup finds the group of a heartbeat. Who joins has a group made. If it
// is a classic one then it has members, and is to be changed with them.
func (m *Machine) consumerGroup(q *kmsg.ConsumerGroupHeartbeatRequest, out *step.Output) (*entry, *refusal.Refusal) {
	joins := q.MemberEpoch == 0
	e := m.groups[q.Group]
	switch {
	case e == nil && !joins:
		return nil, refusal.New(kerr.GroupIDNotFound, "group %q does not exist", q.Group)
	case e == nil:
		e = m.entry(q.Group)
	case e.consumer != nil:
		return e, nil
	case !joins:
		return nil, refusal.New(kerr.GroupIDNotFound, "group %q is a classic group", q.Group)
	case e.classic.Size() > 0 || e.classic.State() != classic.Empty:
		return e, nil
	case !e.classic.Vacant():
		if refused := consumer.CheckRegex(q); refused != nil {
			return nil, refused
		}
		_ = e.classic.Remove(out) // it is empty
	}
	e.consumer, e.classic = consumer.New(e.id, m.world), nil
	return e, nil
}

// upgrade makes the group go on as one of KIP-848 with the members that it has
// and the one that joins. If that one may not join, the group stays as it is.
func (m *Machine) upgrade(now int64, to step.Token, from step.Client, q *kmsg.ConsumerGroupHeartbeatRequest, e *entry, out *step.Output) {
	var made step.Output
	g, refused := consumer.FromClassic(now, e.id, m.world, consumer.Classic{
		ProtocolType: e.classic.ProtocolType(), Protocol: e.classic.Protocol(),
		Generation: e.classic.Generation(), Members: e.classic.Members(),
	}, &made)
	if refused != nil {
		out.Answer(to, refusedHeartbeat(refused))
		return
	}
	if g.Heartbeat(now, to, from, q, &made); refusesToJoin(to, &made) {
		out.Answers = append(out.Answers, made.Answers...)
		return
	}
	e.classic.Upgrade(out)
	out.Records = append(out.Records, made.Records...)
	out.Answers = append(out.Answers, made.Answers...)
	out.Assigns = append(out.Assigns, made.Assigns...)
	out.Resolves = append(out.Resolves, made.Resolves...)
	out.Notes = append(out.Notes, made.Notes...)
	out.Rebalances = append(out.Rebalances, made.Rebalances...)
	e.consumer, e.classic = g, nil
}

// refusesToJoin says whether a heartbeat was refused. One that is to come again
// for its assignment was not.
func refusesToJoin(to step.Token, made *step.Output) bool {
	return slices.ContainsFunc(made.Answers, func(a step.Answer) bool {
		response, ok := a.Response.(*kmsg.ConsumerGroupHeartbeatResponse)
		return ok && a.To == to && response.ErrorCode != 0 && response.ErrorCode != kerr.CoordinatorLoadInProgress.Code
	})
}

// downgrade makes the group go on as a classic one.
func (m *Machine) downgrade(now int64, e *entry, out *step.Output) {
	generation, members, rebalance := e.consumer.ToClassic(out)
	e.consumer = nil
	g, err := classic.Downgrade(now, e.id, m.world, generation, members, rebalance, out)
	if err != nil {
		// The members are told that they are unknown, and join anew.
		out.Notes = append(out.Notes, fmt.Sprint(err))
		e.classic = classic.New(e.id, m.world)
		return
	}
	e.classic = g
}
