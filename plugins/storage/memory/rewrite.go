package memory

import (
	"context"
	"slices"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// rewriting is a rewrite whose last part has not come.
type rewriting struct {
	from, to int64
	fresh    *segment
}

// Rewrite implements [storage.Log].
func (l *partitionLog) Rewrite(_ context.Context, r storage.Rewrite) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	err := l.addPart(r)
	if err == nil && r.Last {
		err = l.replace()
	}
	if err == nil && r.Last && r.Compacted > 0 {
		l.compacted = r.Compacted
	}
	if err != nil || r.Last {
		l.rewriting = rewriting{}
	}
	return err
}

func (l *partitionLog) addPart(r storage.Rewrite) error {
	if r.First {
		if _, _, err := l.rewritable(r.From, r.To); err != nil {
			return err
		}
		l.rewriting = rewriting{r.From, r.To, &segment{base: r.From}}
	}
	w := &l.rewriting
	if w.fresh == nil || w.from != r.From || w.to != r.To {
		return module.Invalidf("rewrite from %d to %d was not begun", r.From, r.To)
	}
	for rest := r.Batches; len(rest) > 0; {
		b, after, ok := record.Next(rest)
		if !ok || b.LastOffsetDelta() < 0 || b.BaseOffset() < w.fresh.next() || b.LastOffset() >= w.to {
			return module.Invalidf("rewrite has no whole batch from %d to %d at byte %d", w.fresh.next(), w.to, len(r.Batches)-len(rest))
		}
		at := len(w.fresh.data)
		w.fresh.data = append(w.fresh.data, b...)
		w.fresh.batches = append(w.fresh.batches, batch{b.BaseOffset(), b.LastOffset() + 1, b.MaxTimestamp(), at, at + b.Size()})
		rest = after
	}
	return nil
}

// rewritable finds the segments from first up to, not including, end that make
// up the range. The caller holds mu.
func (l *partitionLog) rewritable(from, to int64) (first, end int, err error) {
	first, end = segmentAt(l.segments, from), segmentAt(l.segments, to)
	if from >= to || l.segments[first].base != from || l.segments[end].base != to || to > max(l.durable, l.start) {
		return 0, 0, module.Invalidf("%d to %d are not the borders of closed segments that are durable", from, to)
	}
	return first, end, nil
}

func (l *partitionLog) replace() error {
	w := l.rewriting
	if w.fresh.next() != w.to {
		return module.Invalidf("rewrite from %d to %d ends at %d", w.from, w.to, w.fresh.next())
	}
	first, end, err := l.rewritable(w.from, w.to)
	if err != nil {
		return err
	}
	w.fresh.began, w.fresh.written = l.segments[first].began, l.segments[end-1].written
	l.segments = slices.Concat(l.segments[:first], []*segment{w.fresh}, l.segments[end:])
	newest := slices.ContainsFunc(l.states, func(s state) bool { return s.offset >= w.to })
	l.states = slices.DeleteFunc(l.states, func(s state) bool { return newest && w.from < s.offset && s.offset < w.to })
	return nil
}

// next is the offset behind the last batch.
func (s *segment) next() int64 {
	if len(s.batches) == 0 {
		return s.base
	}
	return s.batches[len(s.batches)-1].next
}
