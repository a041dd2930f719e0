package group

import (
	"container/heap"

	"odradek.dev/core/internal/group/step"
)

// deadlines orders the groups that wait for a time by it.
type deadlines struct{ entries byDeadline }

func (d *deadlines) first() int64 {
	if len(d.entries) == 0 {
		return step.Never
	}
	return d.entries[0].at
}

// set gives a group its deadline; one without is not in the order.
func (d *deadlines) set(e *entry, at int64) {
	was := e.place
	e.at = at
	switch {
	case at == step.Never:
		d.remove(e)
	case was < 0:
		heap.Push(&d.entries, e)
	default:
		heap.Fix(&d.entries, was)
	}
}

func (d *deadlines) remove(e *entry) {
	if e.place >= 0 {
		heap.Remove(&d.entries, e.place)
	}
}

// byDeadline is a heap; each entry knows its place, -1 if it has none.
type byDeadline []*entry

func (b byDeadline) Len() int           { return len(b) }
func (b byDeadline) Less(i, j int) bool { return b[i].at < b[j].at }

func (b byDeadline) Swap(i, j int) {
	b[i], b[j] = b[j], b[i]
	b[i].place, b[j].place = i, j
}

func (b *byDeadline) Push(x any) {
	e := x.(*entry)
	e.place = len(*b)
	*b = append(*b, e)
}

func (b *byDeadline) Pop() any {
	old := *b
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*b = old[:len(old)-1]
	e.place = -1
	return e
}
