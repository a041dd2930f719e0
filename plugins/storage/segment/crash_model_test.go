package segment

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// sequence is whole batches, one after the other from origin.
type sequence struct {
	origin  int64
	batches []record.Batch
}

func (q sequence) end() int64 {
	if len(q.batches) == 0 {
		return q.origin
	}
	return q.batches[len(q.batches)-1].LastOffset() + 1
}

// upTo is the sequence without the batches from offset on; ok is false if
// offset is no boundary of a batch.
func (q sequence) upTo(offset int64) (cut sequence, ok bool) {
	cut.origin = q.origin
	for _, b := range q.batches {
		if b.BaseOffset() >= offset {
			break
		}
		cut.batches = append(cut.batches, b)
	}
	return cut, cut.end() == offset
}

func (q sequence) with(batches ...record.Batch) sequence {
	return sequence{q.origin, append(q.batches[:len(q.batches):len(q.batches)], batches...)}
}

// logModel is what a log has promised to be after a crash.
type logModel struct {
	id  storage.ID
	log storage.Log
	// now is the log as it is, and next as the operation that runs will leave
	// it.
	now, next sequence
	// durable is what Sync has answered, less what was truncated since. founded
	// says that the log itself has been synced.
	durable int64
	founded bool
	// start is the latest start offset that was answered, and startNext the
	// latest that was asked for.
	start, startNext int64
	hard, hardNext   []byte
	// saved are the producer states of the batches of now, by offset; sure is
	// the newest that is durable, and past are those that were there once: Trim
	// and Sync may have removed them, and a cut may bring them back.
	saved      map[int64][]byte
	sure, past map[int64]bool
	// known are the epochs that may be in the log, and begun those of BeginEpoch
	// that have to be, if the log is founded and reaches them.
	known, begun map[storage.EpochStart]bool
	// epoch is the leader's, and never falls.
	epoch int32
	// rewritten is the end of what was asked to be rewritten.
	rewritten int64
	// removing says that the log was asked to go.
	removing bool
}

func newModel(id storage.ID) *logModel {
	return &logModel{
		id: id, saved: map[int64][]byte{}, sure: map[int64]bool{}, past: map[int64]bool{},
		known: map[storage.EpochStart]bool{}, begun: map[storage.EpochStart]bool{},
	}
}

// wasSynced takes note that all that is in the log is durable.
func (m *logModel) wasSynced() {
	m.founded, m.durable = true, m.now.end()
	if len(m.saved) == 0 {
		return
	}
	newest := slices.Max(slices.Collect(maps.Keys(m.saved)))
	clear(m.sure)
	m.sure[newest] = true
	for offset := range m.saved {
		m.past[offset] = true
	}
	maps.DeleteFunc(m.saved, func(offset int64, _ []byte) bool { return offset != newest })
}

// supersede takes note that the states within a range that is rewritten may go,
// if there is a newer one.
func (m *logModel) supersede(from, to int64) {
	newer := false
	for offset := range m.saved {
		newer = newer || offset >= to
	}
	if !newer {
		return
	}
	maps.DeleteFunc(m.saved, func(offset int64, _ []byte) bool {
		within := from < offset && offset < to
		if within {
			m.past[offset] = true
			delete(m.sure, offset)
		}
		return within
	})
}

// noteEpoch is called before epoch begins at start, if it is not known yet. An
// epoch without batches goes when another begins where it did.
func (m *logModel) noteEpoch(epoch int32, start int64) {
	m.epoch = epoch
	for e := range m.known {
		if e.Epoch >= epoch {
			return
		}
	}
	maps.DeleteFunc(m.begun, func(e storage.EpochStart, _ bool) bool { return e.Start >= start })
	m.known[storage.EpochStart{Epoch: epoch, Start: start}] = true
}

// found is what opening a log has brought to light.
type found struct {
	bounds  storage.Bounds
	content []byte
	epochs  []storage.EpochStart
	hard    []byte
	// states are in falling order of offset.
	states []foundState
}

type foundState struct {
	offset int64
	state  []byte
}

// check holds what was found against what was promised, and goes on from it.
func (m *logModel) check(f found) error {
	if !m.founded && f.bounds.Start == 0 && f.bounds.End == 0 {
		*m = logModel{id: m.id, log: m.log, epoch: m.epoch, hardNext: m.hardNext, saved: m.saved, sure: m.sure, past: m.past, known: m.known, begun: m.begun}
	}
	outcome, err := m.checkBatches(f)
	if err == nil {
		err = m.checkStates(f)
	}
	if err == nil {
		err = m.checkEpochs(f)
	}
	if err == nil && !bytes.Equal(f.hard, m.hard) && !bytes.Equal(f.hard, m.hardNext) {
		err = fmt.Errorf("hard state %q, want %q or %q", f.hard, m.hard, m.hardNext)
	}
	m.now, m.next = outcome, outcome
	m.start, m.startNext = f.bounds.Start, f.bounds.Start
	m.hard, m.hardNext = f.hard, f.hard
	return err
}

func (m *logModel) checkBatches(f found) (sequence, error) {
	b := f.bounds
	switch {
	case b.Start > b.Durable || b.Durable > b.End:
		return sequence{}, fmt.Errorf("bounds %+v", b)
	case b.End < m.durable:
		return sequence{}, fmt.Errorf("log ends at %d; it was durable up to %d", b.End, m.durable)
	case b.Start < m.start || b.Start > m.startNext:
		return sequence{}, fmt.Errorf("log starts at %d, want %d to %d", b.Start, m.start, m.startNext)
	}
	for _, q := range []sequence{m.now, m.next} {
		cut, ok := q.upTo(b.End)
		if ok && bytes.Equal(between(cut.batches, b.Start, b.End), f.content) {
			return cut, nil
		}
	}
	if b.Start == b.End && len(f.content) == 0 {
		return sequence{origin: b.End}, nil
	}
	return sequence{}, fmt.Errorf("log of %+v has other batches than were written", b)
}

// checkStates wants a state as it was saved that is the newest durable one or a
// later one, and none that was never of these batches. One that was not durable
// yet may be torn.
func (m *logModel) checkStates(f found) error {
	newest, good := int64(-1), int64(-1)
	for offset := range m.sure {
		if offset <= f.bounds.End {
			newest = max(newest, offset)
		}
	}
	got := map[int64][]byte{}
	for _, s := range f.states {
		got[s.offset] = s.state
		saved, ok := m.saved[s.offset]
		if !ok && !m.past[s.offset] || s.offset > f.bounds.End {
			return fmt.Errorf("a state at %d, which is not of this log of %+v", s.offset, f.bounds)
		}
		if ok && bytes.Equal(s.state, saved) {
			good = max(good, s.offset)
		}
	}
	if good < newest {
		return fmt.Errorf("the newest whole state is at %d; one at %d was durable", good, newest)
	}
	for offset := range m.saved {
		m.past[offset] = true
	}
	maps.DeleteFunc(m.past, func(offset int64, _ bool) bool { return offset > f.bounds.End })
	m.saved = got
	maps.DeleteFunc(m.sure, func(offset int64, _ bool) bool { _, ok := got[offset]; return !ok })
	return nil
}

// checkEpochs wants the epochs of the batches and those that were begun.
func (m *logModel) checkEpochs(f found) error {
	got := map[storage.EpochStart]bool{}
	for i, e := range f.epochs {
		got[e] = true
		if i > 0 && (e.Epoch <= f.epochs[i-1].Epoch || e.Start <= f.epochs[i-1].Start) || e.Start > f.bounds.End {
			return fmt.Errorf("epochs %v of a log of %+v", f.epochs, f.bounds)
		}
		if e.Start > f.bounds.Start && !m.known[e] {
			return fmt.Errorf("epochs %v, of which %v never began", f.epochs, e)
		}
	}
	wanted := maps.Clone(m.begun)
	if !m.founded {
		clear(wanted)
	}
	last := int32(-1)
	for rest := f.content; len(rest) > 0; {
		b, after, _ := record.Next(rest)
		if b.LeaderEpoch() > last {
			// Of the first epoch, the batches that it began with may be gone.
			if last >= 0 {
				wanted[storage.EpochStart{Epoch: b.LeaderEpoch(), Start: b.BaseOffset()}] = true
			}
			last = b.LeaderEpoch()
		}
		rest = after
	}
	for e := range wanted {
		if e.Start > f.bounds.Start && e.Start <= f.bounds.End && !got[e] {
			return fmt.Errorf("epochs %v, without %v", f.epochs, e)
		}
	}
	m.known = got
	maps.DeleteFunc(m.begun, func(e storage.EpochStart, _ bool) bool { return !got[e] })
	return nil
}
