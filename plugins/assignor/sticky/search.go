package sticky

// search finds chains of members: each has a partition of a topic to which the
// next subscribes. Its memory is used again from search to search.
type search struct {
	g *group
	// reached has the members that the last search came to. parent and via are
	// the member before each in its chain, and the topic it could get one of.
	reached     []bool
	parent, via []int
	seen        []bool
	// frontier are the members at one distance from the start, next those one
	// step on.
	frontier, next []int
}

func newSearch(g *group) *search {
	members := len(g.load)
	return &search{
		g: g, reached: make([]bool, members), parent: make([]int, members), via: make([]int, members),
		seen: make([]bool, len(g.owner)),
	}
}

// from looks for the shortest chain from start to a member that has at least
// two partitions less, and of those to the one that has least. It returns
// nobody if there is none; reached is then all that start can give to, at
// however many removes.
func (s *search) from(start int) int {
	clear(s.reached)
	clear(s.seen)
	s.reached[start] = true
	s.frontier = append(s.frontier[:0], start)
	for len(s.frontier) > 0 {
		s.next = s.next[:0]
		for _, member := range s.frontier {
			s.step(member)
		}
		if len(s.next) > 0 {
			if least := s.g.least(s.next); s.g.load[least] <= s.g.load[start]-2 {
				return least
			}
		}
		s.frontier, s.next = s.next, s.frontier
	}
	return nobody
}

// step reaches all to whom the member could give something.
func (s *search) step(member int) {
	for at, topic := range s.g.topics[member] {
		if s.g.count[member][at] == 0 || s.seen[topic] {
			continue
		}
		s.seen[topic] = true
		for _, to := range s.g.subscribers[topic] {
			if !s.reached[to] {
				s.reached[to], s.parent[to], s.via[to] = true, member, topic
				s.next = append(s.next, to)
			}
		}
	}
}
