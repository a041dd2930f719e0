package group

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/step"
)

func (m *Machine) join(now int64, to step.Token, from step.Client, q *kmsg.JoinGroupRequest, out *step.Output) {
	e := m.classicRequest(to, q.Group, q, out)
	if e == nil {
		return
	}
	if e.consumer != nil && e.consumer.Members() == 0 {
		// Nobody is left who speaks the consumer protocol.
		if classic.RefuseUnknown(to, q, out) {
			return
		}
		e.consumer.Remove(out)
		e.consumer, e.classic = nil, classic.New(e.id, m.world)
	}
	if e.consumer != nil {
		e.consumer.JoinClassic(now, to, from, q, out)
	} else {
		e.classic.Join(now, to, from, q, out)
	}
	m.settle(now, e, out)
}

func (m *Machine) sync(now int64, to step.Token, q *kmsg.SyncGroupRequest, out *step.Output) {
	e := m.classicRequest(to, q.Group, q, out)
	switch {
	case e == nil:
		return
	case e.consumer != nil:
		e.consumer.SyncClassic(now, to, q, out)
	default:
		e.classic.Sync(now, to, q, out)
	}
	m.settle(now, e, out)
}

func (m *Machine) heartbeat(now int64, to step.Token, q *kmsg.HeartbeatRequest, out *step.Output) {
	e := m.classicRequest(to, q.Group, q, out)
	switch {
	case e == nil:
		return
	case e.consumer != nil:
		e.consumer.HeartbeatClassic(now, to, q, out)
	default:
		e.classic.Heartbeat(now, to, q, out)
	}
	m.settle(now, e, out)
}

func (m *Machine) leave(now int64, to step.Token, q *kmsg.LeaveGroupRequest, out *step.Output) {
	e := m.classicRequest(to, q.Group, q, out)
	switch {
	case e == nil:
		return
	case e.consumer != nil:
		e.consumer.LeaveClassic(now, to, q, out)
	default:
		e.classic.Leave(now, to, q, out)
	}
	m.settle(now, e, out)
}

// classicRequest finds the group of a request of the classic protocol, made if
// it is to be; nil if the request was refused.
func (m *Machine) classicRequest(to step.Token, id string, q kmsg.Request, out *step.Output) *entry {
	if classic.Refuse(to, q, m.world.Settings(id), out) {
		return nil
	}
	e := m.groups[id]
	if e == nil {
		if classic.RefuseUnknown(to, q, out) {
			return nil
		}
		e = m.entry(id)
		e.choose(m.world)
	}
	return e
}
