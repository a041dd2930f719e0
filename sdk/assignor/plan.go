package assignor

import "slices"

// Plan collects an assignment in any order and by positions: a member and a
// topic are their indexes in the snapshot. It belongs to one goroutine.
type Plan struct {
	topics []Topic
	given  [][]place
}

// place is a topic, by position, and a partition of it, in one number that
// ascends as the contract asks.
type place int64

func (p place) topic() int { return int(p >> 32) }

func (p place) partition() int32 { return int32(p) }

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
	p.given[member] = append(p.given[member], place(topic)<<32|place(partition))
}

// Count is how many partitions the member got.
func (p *Plan) Count(member int) int { return len(p.given[member]) }

// Assignment is what was given, sorted as the contract asks.
func (p *Plan) Assignment() Assignment {
	all := 0
	for _, places := range p.given {
		slices.Sort(places)
		all += len(places)
	}
	// All members' parts are cut from two pieces of memory, and none can grow into
	// the next.
	partitions, topics := make([]int32, 0, all), make([]TopicPartitions, 0, len(p.given))
	assignment := Assignment{Members: make([]MemberAssignment, len(p.given))}
	for i, places := range p.given {
		first := len(topics)
		for len(places) > 0 {
			topic, from := places[0].topic(), len(partitions)
			for len(places) > 0 && places[0].topic() == topic {
				partitions, places = append(partitions, places[0].partition()), places[1:]
			}
			topics = append(topics, TopicPartitions{Topic: p.topics[topic].Name, Partitions: partitions[from:len(partitions):len(partitions)]})
		}
		if len(topics) > first {
			assignment.Members[i].Partitions = topics[first:len(topics):len(topics)]
		}
	}
	return assignment
}
