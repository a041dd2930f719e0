package isr

// proposal is one that was not answered yet.
type proposal struct {
	request   uint64
	acks      int16
	base, end int64
}

// queue is first in, first out, and keeps its memory.
type queue struct {
	items []proposal
	head  int
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) front() *proposal { return &q.items[q.head] }

func (q *queue) push(p proposal) {
	if len(q.items) == cap(q.items) && q.head > len(q.items)/2 {
		q.items = q.items[:copy(q.items, q.items[q.head:])]
		q.head = 0
	}
	q.items = append(q.items, p)
}

func (q *queue) pop() proposal {
	p := q.items[q.head]
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return p
}

// remove takes out the proposal of a request: the first one, unless the host
// answered appends out of order.
func (q *queue) remove(request uint64) (proposal, bool) {
	for i := q.head; i < len(q.items); i++ {
		if p := q.items[i]; p.request == request {
			copy(q.items[q.head+1:i+1], q.items[q.head:i])
			q.pop()
			return p, true
		}
	}
	return proposal{}, false
}
