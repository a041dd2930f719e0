package replicationtest

import (
	"fmt"
	"slices"
)

// facts is what the world has seen and nobody may deny.
type facts struct {
	// values is what was visible, by base offset.
	values map[int64]batch
	// acked are the proposals of acks=all that were acknowledged.
	acked []batch
	// leaders is who could write in which epoch.
	leaders map[int32]int32
	// last is the proposal after all was healed; final is that it is
	// acknowledged.
	last  uint64
	final bool
}

func (f *facts) acknowledged(b batch, acks int16) {
	if acks == -1 {
		f.acked = append(f.acked, b)
		f.final = f.final || f.last != 0 && b.value == f.last
	}
}

func (f *facts) seen(b batch) error {
	if known, ok := f.values[b.base]; ok && known != b {
		return fmt.Errorf("two values were visible at offset %d: %+v and %+v", b.base, known, b)
	}
	f.values[b.base] = b
	return nil
}

func (f *facts) leads(epoch, id int32) error {
	if f.leaders == nil {
		f.leaders = map[int32]int32{}
	}
	if other, ok := f.leaders[epoch]; ok && other != id {
		return fmt.Errorf("nodes %d and %d could both write in epoch %d", other, id, epoch)
	}
	f.leaders[epoch] = id
	return nil
}

// check is at the end, when all replicas are equal.
func (f *facts) check(w *world) error {
	for _, n := range w.nodes {
		for _, b := range f.acked {
			if b.base >= n.first && !slices.Contains(n.log, b) {
				return fmt.Errorf("acknowledged %+v is not in the log of node %d: %+v", b, n.id, n.log)
			}
		}
		for _, b := range f.values {
			if b.base >= n.first && !slices.Contains(n.log, b) {
				return fmt.Errorf("%+v was visible and is not in the log of node %d: %+v", b, n.id, n.log)
			}
		}
		if len(n.open) > 0 {
			return fmt.Errorf("node %d has never answered %v", n.id, n.open)
		}
	}
	return nil
}

// equal reports how replicas differ, from the highest of their log starts on.
func (w *world) equal() error {
	first := w.nodes[0].first
	for _, n := range w.nodes {
		first = max(first, n.first)
	}
	want := w.nodes[0].from(first)
	for _, n := range w.nodes {
		if !slices.Equal(n.from(first), want) {
			return fmt.Errorf("the logs of nodes %d and %d differ from %d on:\n%+v\n%+v", w.nodes[0].id, n.id, first, want, n.from(first))
		}
		if n.visible != n.end() {
			return fmt.Errorf("node %d shows its log to %d, and it ends at %d", n.id, n.visible, n.end())
		}
	}
	return nil
}

// from is the log from an offset on.
func (n *node) from(offset int64) []batch {
	i := slices.IndexFunc(n.log, func(b batch) bool { return b.base >= offset })
	if i < 0 {
		return nil
	}
	return n.log[i:]
}
