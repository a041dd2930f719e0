package assignor

import (
	"cmp"
	"slices"
)

// Plan collects an assignment in any order and by positions: a member and a
// topic are their indexes in the snapshot. It belongs to one goroutine.
type Plan struct {
	topics []Topic
	given  [][]place
}

type place struct{ topic, partition int32 }

// NewPlan starts with nothing given to anybody.
func NewPlan(snapshot Snapshot) *Plan {
	return &Plan{topics: snapshot.Topics, given: make([][]place, len(snapshot.Members))}
}

// Give adds a partition to what the member gets. It does not look whether
// somebody else has it.
func (p *Plan) Give(member, topic int, partition int32) {
	p.given[member] = append(p.given[member], place{int32(topic), partition})
}

// Count is how many partitions the member got.
func (p *Plan) Count(member int) int { return len(p.given[member]) }

// Assignment is what was given, sorted as the contract asks.
func (p *Plan) Assignment() Assignment {
	assignment := Assignment{Members: make([]MemberAssignment, len(p.given))}
	for i, places := range p.given {
		slices.SortFunc(places, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition))
		})
		assignment.Members[i].Partitions = p.grouped(places)
	}
	return assignment
}

func (p *Plan) grouped(places []place) []TopicPartitions {
	var out []TopicPartitions
	for i, at := range places {
		if i == 0 || places[i-1].topic != at.topic {
			out = append(out, TopicPartitions{Topic: p.topics[at.topic].Name})
		}
		last := &out[len(out)-1]
		last.Partitions = append(last.Partitions, at.partition)
	}
	return out
}
