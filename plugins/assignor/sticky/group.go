package sticky

import (
	"cmp"
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// nobody stands where a member could.
const nobody = -1

// group is an assignment in the making. Members, topics and partitions are
// named by their indexes in the snapshot.
type group struct {
	// order is the members, those first to which a tie goes.
	order []int
	// subscribers has for each topic its members, in order.
	subscribers [][]int
	// topics has for each member what it subscribes to, ascending, and count
	// beside it how many partitions of that it has now.
	topics, count [][]int
	// load is the sum of each member's counts.
	load []int
	// owner and before have for each topic and partition the member that has it
	// now, and the one that had it before this assignment.
	owner, before [][]int
}

func newGroup(snapshot assignor.Snapshot) *group {
	order := snapshot.StaticFirst()
	members := len(snapshot.Members)
	g := &group{
		order: order, subscribers: snapshot.Subscribers(order), before: claims(snapshot),
		topics: make([][]int, members), count: make([][]int, members), load: make([]int, members),
	}
	for topic, subscribers := range g.subscribers {
		for _, member := range subscribers {
			g.topics[member] = append(g.topics[member], topic)
		}
		g.owner = append(g.owner, slices.Repeat([]int{nobody}, int(snapshot.Topics[topic].Partitions)))
	}
	for member, topics := range g.topics {
		g.count[member] = make([]int, len(topics))
	}
	return g
}

// keep leaves every partition with the member that had it.
func (g *group) keep() {
	for topic, owners := range g.before {
		for partition, member := range owners {
			if member != nobody {
				g.move(topic, partition, member)
			}
		}
	}
}

// move gives the partition to the member, whoever had it.
func (g *group) move(topic, partition, to int) {
	if from := g.owner[topic][partition]; from != nobody {
		g.add(from, topic, -1)
	}
	g.owner[topic][partition] = to
	g.add(to, topic, 1)
}

func (g *group) add(member, topic, n int) {
	at, _ := slices.BinarySearch(g.topics[member], topic)
	g.count[member][at] += n
	g.load[member] += n
}

// fill gives what nobody has to the subscriber that has least. Topics of few
// subscribers come first, since they leave the least choice.
func (g *group) fill(ctx context.Context) error {
	topics := make([]int, len(g.owner))
	for i := range topics {
		topics[i] = i
	}
	slices.SortStableFunc(topics, func(a, b int) int { return cmp.Compare(len(g.subscribers[a]), len(g.subscribers[b])) })
	for _, topic := range topics {
		if len(g.subscribers[topic]) == 0 {
			continue
		}
		for partition, member := range g.owner[topic] {
			if err := ctx.Err(); err != nil {
				return err
			}
			if member == nobody {
				g.move(topic, partition, g.least(g.subscribers[topic]))
			}
		}
	}
	return ctx.Err()
}

func (g *group) least(members []int) int {
	return slices.MinFunc(members, func(a, b int) int { return cmp.Compare(g.load[a], g.load[b]) })
}
