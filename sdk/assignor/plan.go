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
	all, topics := 0, 0
	for _, places := range p.given {
		slices.Sort(places)
		all, topics = all+len(places), topics+countTopics(places)
	}
	r := room{partitions: make([]int32, all), topics: make([]TopicPartitions, topics)}
	assignment := Assignment{Members: make([]MemberAssignment, len(p.given))}
	for i, places := range p.given {
		assignment.Members[i].Partitions = p.grouped(places, &r)
	}
	return assignment
}

// countTopics is how many topics sorted places are of.
func countTopics(places []place) (topics int) {
	for i, at := range places {
		if i == 0 || at.topic() != places[i-1].topic() {
			topics++
		}
	}
	return topics
}

// room is memory for what all members get. Each takes what it needs, which
// nobody else can grow into.
type room struct {
	partitions []int32
	topics     []TopicPartitions
}

func (p *Plan) grouped(places []place, r *room) []TopicPartitions {
	topics := countTopics(places)
	if topics == 0 {
		return nil
	}
	out := r.topics[:0:topics]
	r.topics = r.topics[topics:]
	for len(places) > 0 {
		n := 1
		for n < len(places) && places[n].topic() == places[0].topic() {
			n++
		}
		of := TopicPartitions{Topic: p.topics[places[0].topic()].Name, Partitions: r.partitions[:n:n]}
		r.partitions = r.partitions[n:]
		for i, at := range places[:n] {
			of.Partitions[i] = at.partition()
		}
		out, places = append(out, of), places[n:]
	}
	return out
}
