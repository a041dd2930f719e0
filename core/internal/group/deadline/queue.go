// Package deadline has what waits for a time in the order of the times.
package deadline

import (
	"container/heap"

	"odradek.dev/core/internal/group/step"
)

// Entry is something that may wait for a time. The zero value does not wait.
// An entry is in one queue at most, and is not copied while it is in it.
type Entry[T any] struct {
	Value T
	// at is in milliseconds; it says nothing while place is 0.
	at int64
	// place is one more than the index in the heap, 0 if the entry does not wait.
	place int
}

// Waits reports whether the entry is in a queue.
func (e *Entry[T]) Waits() bool { return e.place != 0 }

// At is the time that the entry waits for, [step.Never] if it does not wait.
func (e *Entry[T]) At() int64 {
	if !e.Waits() {
		return step.Never
	}
	return e.at
}

// Queue has the entries that wait. The zero value is empty. Not for concurrent
// use.
type Queue[T any] struct{ entries earliest[T] }

// Len is the number of entries that wait.
func (q *Queue[T]) Len() int { return len(q.entries) }

// First is the entry with the earliest time, nil if none waits.
func (q *Queue[T]) First() *Entry[T] {
	if len(q.entries) == 0 {
		return nil
	}
	return q.entries[0]
}

// At is the earliest time, [step.Never] if nothing waits.
func (q *Queue[T]) At() int64 {
	if len(q.entries) == 0 {
		return step.Never
	}
	return q.entries[0].at
}

// Set has an entry wait for a time, whatever it waited for before; one that
// waits for [step.Never] does not wait.
func (q *Queue[T]) Set(e *Entry[T], at int64) {
	e.at = at
	switch {
	case at == step.Never:
		q.Remove(e)
	case e.Waits():
		heap.Fix(&q.entries, e.place-1)
	default:
		heap.Push(&q.entries, e)
	}
}

// Remove has an entry wait no longer, if it does.
func (q *Queue[T]) Remove(e *Entry[T]) {
	if e.Waits() {
		heap.Remove(&q.entries, e.place-1)
	}
}

// earliest is a heap; each entry knows its place.
type earliest[T any] []*Entry[T]

func (h earliest[T]) Len() int           { return len(h) }
func (h earliest[T]) Less(i, j int) bool { return h[i].at < h[j].at }

func (h earliest[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *earliest[T]) Push(x any) {
	e := x.(*Entry[T])
	*h = append(*h, e)
	e.place = len(*h)
}

func (h *earliest[T]) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	e.place = 0
	return e
}
