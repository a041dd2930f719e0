package partitiontest

import (
	"context"
	"time"

	"odradek.dev/sdk/replication"
)

// Strategy is one replica that leads.
type Strategy struct {
	// AckDurable moves the high watermark only after a sync, and answers acks=-1
	// only then.
	AckDurable bool
	// Rogue, if set, replaces the effects of a proposal.
	Rogue []replication.Effect
	// Trims are the log starts that its machines were told.
	Trims []int64
}

// Contract implements [replication.Strategy].
func (s *Strategy) Contract() replication.Contract {
	return replication.Contract{Tolerates: "nothing", NeedsFsync: s.AckDurable, OrderedAcks: true}
}

// Elect implements [replication.Strategy].
func (s *Strategy) Elect(_ context.Context, r replication.Record, _ replication.Liveness) (replication.Record, error) {
	return r, nil
}

// Open implements [replication.Strategy].
func (s *Strategy) Open(_ context.Context, start replication.Start) (replication.Machine, error) {
	return &machine{strategy: s, self: start.Self, end: start.Log.End}, nil
}

type machine struct {
	strategy *Strategy
	self     int32
	epoch    int32
	end      int64
	acks     int16
	waiting  []replication.Event
}

// Step implements [replication.Machine].
func (m *machine) Step(_ time.Duration, events []replication.Event, out []replication.Effect) ([]replication.Effect, error) {
	for i := range events {
		out = m.handle(&events[i], out)
	}
	return out, nil
}

func (m *machine) handle(e *replication.Event, out []replication.Effect) []replication.Effect {
	switch e.Kind {
	case replication.EventRecord:
		m.epoch = e.Record.LeaderEpoch
		leads := e.Record.Leader == m.self
		out = append(out, replication.Effect{
			Kind: replication.EffectRole, Leader: e.Record.Leader, Epoch: m.epoch, Writable: leads, Readable: leads,
		})
		return append(out, replication.Effect{Kind: replication.EffectVisible, Offset: m.end})
	case replication.EventPropose:
		if m.strategy.Rogue != nil {
			return append(out, m.strategy.Rogue...)
		}
		m.acks = e.Acks
		return append(out, replication.Effect{Kind: replication.EffectAppend, Request: e.Request, Epoch: m.epoch})
	case replication.EventAppended:
		return m.appended(e, out)
	case replication.EventAppendFailed:
		return append(out, replication.Effect{Kind: replication.EffectAck, Request: e.Request, Err: e.Err})
	case replication.EventTrimmed:
		m.strategy.Trims = append(m.strategy.Trims, e.Base)
	case replication.EventDurable:
		for len(m.waiting) > 0 && m.waiting[0].End <= e.Offset {
			out = append(out, visible(m.waiting[0]))
			if m.waiting[0].Acks == -1 {
				out = append(out, ack(m.waiting[0]))
			}
			m.waiting = m.waiting[1:]
		}
	}
	return out
}

func (m *machine) appended(e *replication.Event, out []replication.Effect) []replication.Effect {
	m.end = e.End
	if !m.strategy.AckDurable {
		return append(out, visible(*e), ack(*e))
	}
	later := *e
	later.Acks = m.acks
	m.waiting = append(m.waiting, later)
	if m.acks != -1 {
		out = append(out, ack(*e))
	}
	return append(out, replication.Effect{Kind: replication.EffectSync})
}

func visible(e replication.Event) replication.Effect {
	return replication.Effect{Kind: replication.EffectVisible, Offset: e.End}
}

func ack(e replication.Event) replication.Effect {
	return replication.Effect{Kind: replication.EffectAck, Request: e.Request, Offset: e.Base}
}
