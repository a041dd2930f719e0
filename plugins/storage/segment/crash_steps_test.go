package segment

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// step does one thing to one of the logs, or to all.
func (s *seeded) step() {
	m := s.models[s.random.IntN(len(s.models))]
	steps := []struct {
		weight int
		do     func(*logModel)
	}{
		{50, s.append}, {10, s.sync}, {5, s.truncate}, {5, s.trim}, {3, s.roll}, {3, s.saveEnd}, {4, s.saveHard},
		{4, s.beginEpoch}, {3, s.passTime}, {4, s.rewrite}, {2, s.reopen}, {1, s.remove}, {1, s.restart},
	}
	sum := 0
	for _, one := range steps {
		sum += one.weight
	}
	drawn := s.random.IntN(sum)
	for _, one := range steps {
		if drawn -= one.weight; drawn < 0 {
			one.do(m)
			return
		}
	}
}

func (s *seeded) batch(base int64, epoch int32) record.Batch {
	s.serial++
	values := make([]string, 1+s.random.IntN(4))
	for i := range values {
		values[i] = fmt.Sprintf("%d of %d ", i, s.serial) + strings.Repeat("x", s.random.IntN(120))
	}
	return recordtest.Batch(recordtest.Spec{BaseOffset: base, LeaderEpoch: epoch, Records: recordtest.Values(1000+base, values...)})
}

func (s *seeded) append(m *logModel) {
	epoch := m.epoch
	if s.random.IntN(10) == 0 {
		epoch++
	}
	m.noteEpoch(epoch, m.now.end())
	var batches []record.Batch
	var whole []byte
	for range 1 + s.random.IntN(3) {
		m.next = m.now.with(batches...)
		b := s.batch(m.next.end(), epoch)
		batches, whole = append(batches, b), append(whole, b...)
	}
	m.next = m.now.with(batches...)
	s.did("append to partition %d: %d to %d of epoch %d", m.id.Partition, m.now.end(), m.next.end(), epoch)
	appended, err := m.log.Append(s.t.Context(), storage.Append{Batches: whole, Now: s.clock.Now().UnixMilli()})
	if !s.must(err) {
		return
	}
	m.now = m.next
	if appended.Rolled >= 0 && s.random.IntN(2) == 0 {
		s.save(m, appended.Rolled)
	}
}

func (s *seeded) sync(m *logModel) {
	s.did("sync partition %d", m.id.Partition)
	durable, err := m.log.Sync(s.t.Context())
	if !s.must(err) {
		return
	}
	if durable != m.now.end() {
		s.t.Fatalf("sync answers %d, the log ends at %d", durable, m.now.end())
	}
	if m.durable < durable || m.founded {
		m.wasSynced()
	}
}

// truncate cuts before one of the last batches.
func (s *seeded) truncate(m *logModel) {
	to := m.now.end()
	if n := len(m.now.batches); n > 0 {
		to = m.now.batches[n-1-s.random.IntN(min(n, 20))].BaseOffset()
	}
	if to < m.start || to < m.rewritten {
		return
	}
	s.did("truncate partition %d to %d", m.id.Partition, to)
	m.durable = min(m.durable, to)
	maps.DeleteFunc(m.sure, func(offset int64, _ bool) bool { return offset > to })
	maps.DeleteFunc(m.begun, func(e storage.EpochStart, _ bool) bool { return e.Start >= to })
	m.next, _ = m.now.upTo(to)
	if !s.must(m.log.Truncate(s.t.Context(), to)) {
		return
	}
	m.now = m.next
	maps.DeleteFunc(m.saved, func(offset int64, _ []byte) bool { return offset > to })
	maps.DeleteFunc(m.past, func(offset int64, _ bool) bool { return offset > to })
	maps.DeleteFunc(m.known, func(e storage.EpochStart, _ bool) bool { return e.Start >= to })
}

// trim goes up to the end, and at times beyond.
func (s *seeded) trim(m *logModel) {
	to := m.start + s.random.Int64N(m.now.end()-m.start+1)
	if s.random.IntN(8) == 0 {
		to = m.now.end() + 1 + s.random.Int64N(50)
		m.next = sequence{origin: to}
	}
	s.did("trim partition %d to %d", m.id.Partition, to)
	m.startNext = to
	if !s.must(m.log.Trim(s.t.Context(), to)) {
		return
	}
	m.start, m.now = to, m.next
}

// rewrite makes one of some of the closed segments that are durable, in parts.
func (s *seeded) rewrite(m *logModel) {
	segments, err := m.log.Segments(s.t.Context())
	bounds, boundsErr := m.log.Bounds(s.t.Context())
	if !s.must(errors.Join(err, boundsErr)) {
		return
	}
	closed := 0
	for closed+1 < len(segments) && segments[closed].End <= bounds.Durable {
		closed++
	}
	if closed == 0 {
		return
	}
	first := s.random.IntN(closed)
	from, to := segments[first].Base, segments[first+s.random.IntN(closed-first)].End
	kept, all := keepSome(m.now.batches, from, to)
	if len(kept) == 0 || kept[len(kept)-1].LastOffset()+1 != to {
		return
	}
	s.did("rewrite partition %d from %d to %d", m.id.Partition, from, to)
	m.rewritten = max(m.rewritten, to)
	m.next = sequence{m.now.origin, all}
	m.supersede(from, to)
	for r := (storage.Rewrite{From: from, To: to, First: true}); !r.Last; r.First = false {
		n := s.random.IntN(len(kept) + 1)
		r.Batches, r.Last = nil, n == len(kept) && s.random.IntN(2) == 0
		for _, b := range kept[:n] {
			r.Batches = append(r.Batches, b...)
		}
		kept = kept[n:]
		if !s.must(m.log.Rewrite(s.t.Context(), r)) {
			return
		}
	}
	m.now = m.next
}

func (s *seeded) roll(m *logModel) {
	s.did("roll partition %d", m.id.Partition)
	rolled, err := m.log.Roll(s.t.Context())
	if s.must(err) && rolled >= 0 && s.random.IntN(2) == 0 {
		s.save(m, rolled)
	}
}

func (s *seeded) saveEnd(m *logModel) {
	if len(m.now.batches) > 0 {
		s.save(m, m.now.end())
	}
}

func (s *seeded) save(m *logModel, offset int64) {
	if m.saved[offset] != nil {
		return
	}
	s.serial++
	m.saved[offset] = fmt.Appendf(nil, "state %d %s", s.serial, strings.Repeat("s", s.random.IntN(1200)))
	s.did("save the state of partition %d at %d", m.id.Partition, offset)
	s.must(m.log.SaveState(s.t.Context(), offset, m.saved[offset]))
}

func (s *seeded) saveHard(m *logModel) {
	s.serial++
	m.hardNext = fmt.Appendf(nil, "hard %d", s.serial)
	s.did("save the hard state of partition %d: %q", m.id.Partition, m.hardNext)
	if s.must(m.log.SaveHard(s.t.Context(), m.hardNext)) {
		m.hard, m.founded = m.hardNext, true
	}
}

func (s *seeded) beginEpoch(m *logModel) {
	e := storage.EpochStart{Epoch: m.epoch + 1 + s.random.Int32N(2), Start: m.now.end()}
	s.did("begin epoch %d of partition %d at %d", e.Epoch, m.id.Partition, e.Start)
	m.noteEpoch(e.Epoch, e.Start)
	if s.must(m.log.BeginEpoch(s.t.Context(), e.Epoch)) {
		m.begun[e] = true
	}
}

// passTime has the recovery points written, and old files deleted.
func (s *seeded) passTime(*logModel) {
	s.did("time passes")
	s.clock.Advance(time.Minute)
}

func (s *seeded) close(m *logModel) bool {
	s.did("close partition %d", m.id.Partition)
	written := len(m.now.batches) > 0
	if !s.must(m.log.Close(s.t.Context())) {
		return false
	}
	if written || m.founded {
		m.wasSynced()
	}
	return true
}

func (s *seeded) reopen(m *logModel) {
	if s.close(m) {
		s.open(m)
	}
}

func (s *seeded) remove(m *logModel) {
	if !s.close(m) {
		return
	}
	s.did("remove partition %d", m.id.Partition)
	m.removing = true
	if !s.must(s.engine.Remove(s.t.Context(), "/data", m.id)) {
		return
	}
	s.forget(m)
	s.open(m)
}

// restart stops and starts the broker.
func (s *seeded) restart(*logModel) {
	if s.unmount() {
		s.start()
	}
}

// unmount closes the logs one by one, so that a seed does the same each time.
func (s *seeded) unmount() bool {
	for _, m := range s.models {
		if !s.close(m) {
			return false
		}
	}
	s.did("unmount")
	return s.must(s.engine.Unmount(s.t.Context(), "/data"))
}
