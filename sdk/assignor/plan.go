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
	p := &Plan{topics: snapshot.Topics, given: make([][]place, len(snapshot.Members))}
	all := 0
	for _, topic := range snapshot.Topics {
		all += int(topic.Partitions)
	}
	// Equal shares, which most are, fit into one piece of memory.
	share := all/max(len(p.given), 1) + 1
	room := make([]place, share*len(p.given))
	for i := range p.given {
		p.given[i], room = room[:0:share], room[share:]
	}
	return p
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
	for len(places) > 0 {
		n := 1
		for n < len(places) && places[n].topic == places[0].topic {
			n++
		}
		of := TopicPartitions{Topic: p.topics[places[0].topic].Name, Partitions: make([]int32, n)}
		for i, at := range places[:n] {
			of.Partitions[i] = at.partition
		}
		out, places = append(out, of), places[n:]
	}
	return out
}
