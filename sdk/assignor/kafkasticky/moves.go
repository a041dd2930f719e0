package kafkasticky

import "odradek.dev/sdk/assignor"

// way is that of a partition of a topic from the member that had it first to
// the one that has it now.
type way struct{ topic, from, to int }

// moves is what moved while a group was levelled.
type moves struct {
	topics []assignor.Topic
	// by has the way of each partition that is not where it was, and on the
	// partitions of each way.
	by map[place]way
	on map[way]*hashSet
}

func newMoves(snapshot assignor.Snapshot) moves {
	return moves{topics: snapshot.Topics, by: make(map[place]way), on: make(map[way]*hashSet)}
}

// instead returns the partition to move instead of one of the same topic: one
// that came the opposite way, if there is one, so that no two members swap.
func (m *moves) instead(at place, owner, to int) place {
	if moved, ok := m.by[at]; ok {
		owner = moved.from
	}
	if opposite := m.on[way{at.topic, to, owner}]; opposite != nil {
		return place{at.topic, opposite.first()}
	}
	return at
}

func (m *moves) note(at place, owner, to int) {
	from := owner
	if moved, ok := m.by[at]; ok {
		from = moved.from
		m.forget(at, moved)
	}
	if from == to {
		return
	}
	w := way{at.topic, from, to}
	m.by[at] = w
	if m.on[w] == nil {
		m.on[w] = newHashSet(m.topics[at.topic].Name)
	}
	m.on[w].add(at.partition)
}

func (m *moves) forget(at place, w way) {
	delete(m.by, at)
	if m.on[w].remove(at.partition); len(m.on[w].partitions) == 0 {
		delete(m.on, w)
	}
}
