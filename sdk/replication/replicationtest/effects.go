package replicationtest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

var errDiskFull = module.NewError(module.Retriable, "replicationtest.disk_full", "the disk is full")

// carryOut does what an effect says, if it may, and returns the event that
// answers it, if one does.
func (n *node) carryOut(e *replication.Effect) (*replication.Event, error) {
	switch e.Kind {
	case replication.EffectAppend:
		return n.append(e)
	case replication.EffectAccept:
		return n.accept()
	case replication.EffectTruncate:
		return n.truncate(e.Offset)
	case replication.EffectRestart:
		return n.begin(e.Offset)
	case replication.EffectSync:
		n.syncing, n.syncEnd = true, n.end()
	case replication.EffectPutHard:
		n.hard = slices.Clone(e.Payload)
	case replication.EffectSend, replication.EffectSendRange:
		return n.send(e)
	case replication.EffectAck:
		return nil, n.acknowledge(e)
	case replication.EffectVisible:
		return nil, n.show(e.Offset)
	case replication.EffectRole:
		return nil, n.play(e)
	case replication.EffectPutRecord:
		return nil, n.put(e.Record)
	case replication.EffectTimer:
		n.timers = slices.DeleteFunc(n.timers, func(t timer) bool { return t.tag == e.Tag })
		if e.After >= 0 {
			n.timers = append(n.timers, timer{tag: e.Tag, due: n.world.now + e.After})
		}
	case replication.EffectTrace, replication.EffectResign:
	default:
		return nil, fmt.Errorf("effect %d was not asked for", e.Kind)
	}
	return nil, nil
}

func (n *node) append(e *replication.Effect) (*replication.Event, error) {
	if _, open := n.open[e.Request]; !open {
		return nil, fmt.Errorf("append of proposal %d, which is not open", e.Request)
	}
	if e.Epoch != n.role.Epoch || !n.role.Writable {
		return nil, fmt.Errorf("append in epoch %d in the role %+v", e.Epoch, n.role)
	}
	if n.world.rng.IntN(30) == 0 && !n.world.healed {
		return &replication.Event{Kind: replication.EventAppendFailed, Request: e.Request, Err: errDiskFull}, nil
	}
	b := batch{base: n.end(), end: n.end() + 1 + n.world.rng.Int64N(3), epoch: e.Epoch, value: e.Request}
	n.log = append(n.log, b)
	return &replication.Event{Kind: replication.EventAppended, Request: e.Request, Base: b.base, End: b.end, Epoch: b.epoch}, nil
}

func (n *node) accept() (*replication.Event, error) {
	if len(n.arrived) == 0 {
		return nil, errors.New("accept without a range that came with the message")
	}
	arrived := n.arrived
	n.arrived = nil
	if arrived[0].base != n.end() {
		return nil, fmt.Errorf("accept of a range from %d by a log that ends at %d", arrived[0].base, n.end())
	}
	if n.world.rng.IntN(30) == 0 && !n.world.healed {
		return &replication.Event{Kind: replication.EventAppendFailed, Err: errDiskFull}, nil
	}
	n.log = append(n.log, arrived...)
	last := arrived[len(arrived)-1]
	return &replication.Event{Kind: replication.EventAppended, Base: arrived[0].base, End: last.end, Epoch: last.epoch}, nil
}

func (n *node) truncate(offset int64) (*replication.Event, error) {
	if offset < n.visible || offset > n.end() {
		return nil, fmt.Errorf("truncate to %d of a log that is visible to %d and ends at %d", offset, n.visible, n.end())
	}
	n.cut(offset)
	return &replication.Event{Kind: replication.EventTruncated, End: n.end()}, nil
}

func (n *node) begin(offset int64) (*replication.Event, error) {
	if offset < n.end() {
		return nil, fmt.Errorf("restart at %d of a log that ends at %d", offset, n.end())
	}
	n.log, n.first, n.durable, n.syncEnd = nil, offset, offset, offset
	return &replication.Event{Kind: replication.EventInstalled, Base: offset, End: offset}, nil
}

// send puts a message on its way, with no more of the range than a host might
// send at once.
func (n *node) send(e *replication.Effect) (*replication.Event, error) {
	m := message{from: n.id, to: e.Peer, payload: slices.Clone(e.Payload)}
	if e.Peer == n.id || n.world.node(e.Peer) == nil {
		return nil, fmt.Errorf("message to %d, which is not another replica", e.Peer)
	}
	if e.Kind == replication.EffectSendRange {
		if e.Range.Base < n.first {
			return &replication.Event{Kind: replication.EventSnapshotNeeded, Peer: e.Peer}, nil
		}
		most := 1 + n.world.rng.IntN(4)
		for _, b := range n.log {
			if b.base >= e.Range.Base && b.end <= e.Range.End && len(m.batches) < most {
				m.batches = append(m.batches, b)
			}
		}
		if len(m.batches) == 0 || m.batches[0].base != e.Range.Base {
			return nil, fmt.Errorf("range %d to %d is not of whole batches of the log", e.Range.Base, e.Range.End)
		}
		last := m.batches[len(m.batches)-1]
		m.bounds = replication.Range{Base: e.Range.Base, End: last.end, Epoch: last.epoch}
	}
	n.world.messages = append(n.world.messages, m)
	return nil, nil
}

func (n *node) acknowledge(e *replication.Effect) error {
	acks, open := n.open[e.Request]
	if !open {
		return fmt.Errorf("proposal %d is answered, which is not open", e.Request)
	}
	delete(n.open, e.Request)
	if e.Err != nil {
		return nil
	}
	if n.world.contract.OrderedAcks && e.Request < n.lastAck {
		return fmt.Errorf("proposal %d is acknowledged after %d, which was made later", e.Request, n.lastAck)
	}
	n.lastAck = e.Request
	for _, b := range n.log {
		if b.value == e.Request && b.base == e.Offset {
			n.world.facts.acknowledged(b, acks)
			return nil
		}
	}
	if acks == -1 && e.Offset >= n.first {
		return fmt.Errorf("proposal %d is acknowledged at %d, where the log does not have it", e.Request, e.Offset)
	}
	return nil
}

// show: what is visible grows, and there is one value at each offset.
func (n *node) show(offset int64) error {
	if offset < n.visible || offset > n.end() {
		return fmt.Errorf("visible to %d of a log that was visible to %d and ends at %d", offset, n.visible, n.end())
	}
	n.visible = offset
	for _, b := range n.log {
		if b.end <= offset {
			if err := n.world.facts.seen(b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *node) play(e *replication.Effect) error {
	if e.Epoch < n.role.Epoch {
		return fmt.Errorf("role of epoch %d after epoch %d", e.Epoch, n.role.Epoch)
	}
	n.role = *e
	if e.Readable && e.Leader != n.id && !n.world.contract.FollowerRead {
		return fmt.Errorf("it may be read and %d leads: the contract does not let followers be read", e.Leader)
	}
	if e.Writable {
		return n.world.facts.leads(e.Epoch, n.id)
	}
	return nil
}

func (n *node) put(r *replication.Record) error {
	if r == nil {
		return errors.New("put of no record")
	}
	n.world.changes = append(n.world.changes, change{from: n.id, record: *r})
	return nil
}

// describe is the fields of an event or effect that are not zero, without
// addresses, which differ from run to run.
func describe(v any) string {
	var out strings.Builder
	fields := reflect.Indirect(reflect.ValueOf(v))
	for i := range fields.NumField() {
		f := fields.Field(i)
		if f.IsZero() {
			continue
		}
		shown := f.Interface()
		switch value := shown.(type) {
		case *replication.Record:
			shown = *value
		case []byte:
			shown = fmt.Sprintf("%x", value)
		}
		fmt.Fprintf(&out, " %s=%v", fields.Type().Field(i).Name, shown)
	}
	return out.String()
}

func describeAll(effects []replication.Effect, err error) string {
	var out strings.Builder
	for i := range effects {
		out.WriteString(describe(&effects[i]) + "\n")
	}
	return fmt.Sprintf("%serror %v", out.String(), err)
}
