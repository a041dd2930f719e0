package replicationtest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// solo keeps a partition of one replica. Its fields are the ways in which it can
// be wrong.
type solo struct {
	contract replication.Contract

	acksUnwritten, acksBackwards, acksNothing bool
	showsTooMuch                              bool
	readableWithoutLeader                     bool
}

func (s *solo) Contract() replication.Contract { return s.contract }

func (s *solo) Open(_ context.Context, start replication.Start) (replication.Machine, error) {
	return &soloMachine{solo: s, self: start.Self, record: start.Record}, nil
}

func (s *solo) Elect(_ context.Context, r replication.Record, live replication.Liveness) (replication.Record, error) {
	leader := int32(-1)
	if slices.Contains(live.Nodes, r.Replicas[0]) {
		leader = r.Replicas[0]
	}
	if leader != r.Leader {
		r.Leader, r.LeaderEpoch, r.Version = leader, r.LeaderEpoch+1, r.Version+1
	}
	return r, nil
}

type soloMachine struct {
	*solo
	self    int32
	record  replication.Record
	started bool
	// held are acknowledgements that acksBackwards keeps until there are two.
	held []replication.Effect
	out  []replication.Effect
}

func (m *soloMachine) Step(_ time.Duration, events []replication.Event, out []replication.Effect) ([]replication.Effect, error) {
	m.out = out
	if !m.started {
		m.started = true
		m.announce()
	}
	for i := range events {
		m.handle(&events[i])
	}
	return m.out, nil
}

func (m *soloMachine) emit(e replication.Effect) { m.out = append(m.out, e) }

func (m *soloMachine) announce() {
	leads := m.record.Leader == m.self
	m.emit(replication.Effect{
		Kind: replication.EffectRole, Leader: m.record.Leader, Epoch: m.record.LeaderEpoch,
		Writable: leads, Readable: leads || m.readableWithoutLeader,
	})
}

func (m *soloMachine) handle(e *replication.Event) {
	switch e.Kind {
	case replication.EventRecord:
		if e.Record.Version > m.record.Version {
			m.record = *e.Record
			m.announce()
		}
	case replication.EventPropose:
		switch {
		case m.record.Leader != m.self:
			m.emit(replication.Effect{Kind: replication.EffectAck, Request: e.Request, Err: replication.ErrNotLeader})
		case m.acksUnwritten:
			m.emit(replication.Effect{Kind: replication.EffectAck, Request: e.Request, Offset: 1 << 40})
		default:
			m.emit(replication.Effect{Kind: replication.EffectAppend, Request: e.Request, Epoch: m.record.LeaderEpoch})
		}
	case replication.EventAppendFailed:
		m.emit(replication.Effect{Kind: replication.EffectAck, Request: e.Request, Err: e.Err})
	case replication.EventAppended:
		m.written(e)
	}
}

func (m *soloMachine) written(e *replication.Event) {
	visible := replication.Effect{Kind: replication.EffectVisible, Offset: e.End}
	if m.showsTooMuch {
		visible.Offset++
	}
	m.emit(visible)
	ack := replication.Effect{Kind: replication.EffectAck, Request: e.Request, Offset: e.Base}
	switch {
	case m.acksNothing:
	case !m.acksBackwards:
		m.emit(ack)
	default:
		if m.held = append(m.held, ack); len(m.held) == 2 {
			m.emit(m.held[1])
			m.emit(m.held[0])
			m.held = nil
		}
	}
}

func honest() solo {
	return solo{contract: replication.Contract{Tolerates: "nothing", AckMeans: "it is written", ReadMeans: "what is written", OrderedAcks: true}}
}

func TestHonestStrategyPasses(t *testing.T) {
	Run(t, func(*testing.T) replication.Strategy { s := honest(); return oneReplica{&s} })
}

// oneReplica refuses partitions of several replicas.
type oneReplica struct{ *solo }

func (s oneReplica) Open(ctx context.Context, start replication.Start) (replication.Machine, error) {
	if len(start.Record.Replicas) > 1 {
		return nil, module.Invalidf("solo keeps one replica, not %d", len(start.Record.Replicas))
	}
	return s.solo.Open(ctx, start)
}

// TestWrongStrategiesFail: what the suite is there to find, it finds.
func TestWrongStrategiesFail(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*solo)
		found string
	}{
		"acknowledges what is not written": {func(s *solo) { s.acksUnwritten = true }, "where the log does not have it"},
		"acknowledges out of order":        {func(s *solo) { s.acksBackwards = true }, "which was made later"},
		"never acknowledges":               {func(s *solo) { s.acksNothing = true }, "no proposal is acknowledged"},
		"shows what is not there":          {func(s *solo) { s.showsTooMuch = true }, "visible to"},
		"is readable and does not lead":    {func(s *solo) { s.readableWithoutLeader = true }, "does not let followers be read"},
	} {
		t.Run(name, func(t *testing.T) {
			s := honest()
			c.spoil(&s)
			require.ErrorContains(t, firstFailure(&s), c.found)
		})
	}
}

func firstFailure(s replication.Strategy) error {
	for seed := range uint64(10) {
		if err := newWorld(s, []int32{1}, 1, seed).run(); err != nil {
			return err
		}
	}
	return nil
}
