package group

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/deadline"
	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
)

// Machine is the groups and offsets of one partition of __consumer_offsets. Not
// for concurrent use.
type Machine struct {
	world     *world
	groups    map[string]*entry
	offsets   *offsets.Store
	deadlines deadline.Queue[*entry]
	// orphans are topics by id that went while nobody looked; their offsets are
	// deleted at the first tick.
	orphans map[[16]byte]string
	// expireAt is when offsets that are too old are looked for next.
	expireAt int64
}

// entry is one group: a classic one or one of KIP-848, and only while the log
// is read perhaps both. A group that has offsets and nothing else is a classic
// one that was never joined.
type entry struct {
	id       string
	classic  *classic.Group
	consumer *consumer.Group
	// due is the group's place among those that wait for a time.
	due deadline.Entry[*entry]
}

// New makes a machine that has no groups yet. [Machine.Apply] gives it what
// the log has, and [Machine.Loaded] ends that.
func New(w World) *Machine {
	m := &Machine{groups: make(map[string]*entry), offsets: offsets.NewStore(), expireAt: step.Never}
	m.world = &world{World: w, offsets: m.offsets}
	return m
}

// Apply takes a record of the log.
func (m *Machine) Apply(r grouplog.Record) {
	switch k := r.Key.(type) {
	case grouplog.OffsetKey:
		value, _ := r.Value.(*grouplog.Offset)
		m.applyOffset(k, value)
	case grouplog.ClassicGroupKey:
		e := m.entry(k.Group)
		if e.classic == nil || e.classic.State() == classic.Dead {
			e.classic = classic.New(k.Group, m.world)
		}
		e.classic.Apply(r)
	default:
		e := m.entry(r.Key.GroupID())
		if e.consumer == nil {
			e.consumer = consumer.New(e.id, m.world)
		}
		e.consumer.Apply(r)
	}
}

func (m *Machine) applyOffset(k grouplog.OffsetKey, value *grouplog.Offset) {
	m.offsets.Apply(k, value)
	if value != nil {
		m.entry(k.Group)
	}
}

// entry finds a group or makes a place for one.
func (m *Machine) entry(id string) *entry {
	e := m.groups[id]
	if e == nil {
		e = &entry{id: id}
		e.due.Value = e
		m.groups[id] = e
	}
	return e
}

// Loaded says that the log is read: sessions begin.
func (m *Machine) Loaded(now int64) step.Output {
	var out step.Output
	for _, id := range slices.Sorted(maps.Keys(m.groups)) {
		e := m.groups[id]
		e.choose(m.world)
		switch {
		case e.consumer != nil:
			e.consumer.Loaded(now)
		default:
			e.classic.Loaded(now, &out)
		}
		m.settle(now, e, &out)
	}
	m.orphans = m.findOrphans()
	m.expireAt = m.nextExpiry(now)
	return out
}

// choose leaves one group of those that the log had under the id.
func (e *entry) choose(w step.World) {
	if e.consumer != nil && !e.consumer.Exists() {
		e.consumer = nil
	}
	switch {
	case e.consumer != nil:
		e.classic = nil
	case e.classic == nil || e.classic.State() == classic.Dead:
		e.classic = classic.New(e.id, w)
	}
}

// settle is called after each step of a group: it may have become one of the
// other kind, or be over, and its deadline is another.
func (m *Machine) settle(now int64, e *entry, out *step.Output) {
	if e.consumer != nil && e.consumer.Downgradable() {
		m.downgrade(now, e, out)
	}
	if e.isOver() && !m.offsets.Has(e.id) {
		m.deadlines.Remove(&e.due)
		delete(m.groups, e.id)
		return
	}
	e.choose(m.world)
	m.deadlines.Set(&e.due, e.deadline())
}

// isOver says that nothing is known of the group but perhaps its offsets.
func (e *entry) isOver() bool {
	if e.consumer != nil {
		return !e.consumer.Exists() && e.consumer.Members() == 0
	}
	return e.classic == nil || e.classic.State() == classic.Dead || e.classic.Vacant()
}

// kind is the type of the group and its state.
func (e *entry) kind() (groupType, state string) {
	if e.consumer != nil {
		return step.Consumer, e.consumer.State()
	}
	return step.Classic, string(e.classic.State())
}

func (e *entry) deadline() int64 {
	if e.consumer != nil {
		return e.consumer.Deadline()
	}
	return e.classic.Deadline()
}

// Deadline is when [Machine.Tick] wants to be called, [step.Never] if there are
// no groups.
func (m *Machine) Deadline() int64 {
	if len(m.groups) == 0 {
		return step.Never
	}
	if len(m.orphans) > 0 {
		return 0
	}
	return min(m.deadlines.At(), m.expireAt)
}

// Tick does what is due.
func (m *Machine) Tick(now int64) step.Output {
	var out step.Output
	m.removeOrphans(&out)
	for m.deadlines.At() <= now {
		e := m.deadlines.First().Value
		if e.consumer != nil {
			e.consumer.Tick(now, &out)
		} else {
			e.classic.Tick(now, &out)
		}
		m.settle(now, e, &out)
	}
	if m.expireAt <= now {
		m.expire(now, &out)
		m.expireAt = m.nextExpiry(now)
	}
	return out
}

// Assigned takes an assignment that the machine asked for.
func (m *Machine) Assigned(now int64, a step.Assigned) step.Output {
	var out step.Output
	if e := m.groups[a.Group]; e != nil && e.consumer != nil {
		if a.Fallback {
			e.consumer.FellBack(a.Epoch)
		}
		e.consumer.Assigned(now, a.Epoch, a.Assignment, a.Err, &out)
		m.settle(now, e, &out)
	}
	return out
}

// Resolved takes the topics of regular expressions that the machine asked for.
func (m *Machine) Resolved(now int64, r step.Resolved) step.Output {
	var out step.Output
	if e := m.groups[r.Group]; e != nil && e.consumer != nil {
		e.consumer.Resolved(now, r, &out)
		m.settle(now, e, &out)
	}
	return out
}

// TopicsChanged says that topics came, grew or went; those that went are gone.
func (m *Machine) TopicsChanged(now int64, gone []step.Topic) step.Output {
	var out step.Output
	for _, t := range gone {
		m.write(m.offsets.DeleteTopic(t.Name, t.ID), &out)
	}
	for _, id := range slices.Sorted(maps.Keys(m.groups)) {
		e := m.groups[id]
		if e.consumer != nil {
			e.consumer.TopicsChanged(now, &out)
		}
		m.settle(now, e, &out)
	}
	return out
}

// write adds records of offsets to the output, whose they are then, and applies
// them.
func (m *Machine) write(records []grouplog.Record, out *step.Output) {
	for _, r := range records {
		m.Apply(r)
	}
	if out.Records == nil {
		out.Records = records
		return
	}
	out.Records = append(out.Records, records...)
}

// Handle takes a request about one group. The answer is in the output, or in
// that of a later step.
func (m *Machine) Handle(now int64, to step.Token, from step.Client, q kmsg.Request) step.Output {
	var out step.Output
	if kind := refuse(from, q); kind != nil {
		out.Answer(to, Refuse(q, kind))
		return out
	}
	switch q := q.(type) {
	case *kmsg.JoinGroupRequest:
		m.join(now, to, from, q, &out)
	case *kmsg.SyncGroupRequest:
		m.sync(now, to, q, &out)
	case *kmsg.HeartbeatRequest:
		m.heartbeat(now, to, q, &out)
	case *kmsg.LeaveGroupRequest:
		m.leave(now, to, q, &out)
	case *kmsg.ConsumerGroupHeartbeatRequest:
		m.consumerHeartbeat(now, to, from, q, &out)
	case *kmsg.OffsetCommitRequest:
		m.commit(now, to, q, &out)
	case *kmsg.OffsetFetchRequest:
		out.Answer(to, m.fetch(q))
	case *kmsg.OffsetDeleteRequest:
		m.deleteOffsets(now, to, q, &out)
	case *kmsg.DescribeGroupsRequest:
		out.Answer(to, m.describe(q))
	case *kmsg.ConsumerGroupDescribeRequest:
		out.Answer(to, m.describeConsumer(q))
	case *kmsg.DeleteGroupsRequest:
		m.deleteGroup(now, to, q, &out)
	}
	return out
}
