package uniform

import (
	"cmp"
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// mostRounds bounds the levelling of members of overlapping subscriptions, which
// comes nearer and nearer to balance and may take long to reach it.
const mostRounds = 16

// group is an assignment in the making. Members, topics and partitions are
// named by their indexes in the snapshot.
type group struct {
	// subscribers has the members of each topic, ascending.
	subscribers [][]int
	// owner has for each topic and partition its member, or assignor.Nobody.
	owner [][]int
	// load is how many partitions each member has.
	load []int
	// held has for each subscriber of the topic that is being levelled what it
	// may still give away, ascending.
	held [][]int
}

// assignByLevel is for members of mixed subscriptions.
func assignByLevel(ctx context.Context, snapshot assignor.Snapshot, plan *assignor.Plan) error {
	members := len(snapshot.Members)
	g := &group{
		subscribers: snapshot.Subscribers(ascending(members)), owner: snapshot.Owners(),
		load: make([]int, members), held: make([][]int, members),
	}
	for _, owners := range g.owner {
		for _, owner := range owners {
			if owner != assignor.Nobody {
				g.load[owner]++
			}
		}
	}
	topics := g.inOrder()
	if err := g.fill(ctx, topics); err != nil {
		return err
	}
	if err := g.level(ctx, topics); err != nil {
		return err
	}
	for topic, owners := range g.owner {
		for partition, owner := range owners {
			if owner != assignor.Nobody {
				plan.Give(owner, topic, int32(partition))
			}
		}
	}
	return nil
}

// inOrder is the topics that somebody subscribes to: those of the most
// partitions a subscriber first, and of these those of the fewest subscribers.
func (g *group) inOrder() []int {
	var topics []int
	for topic, members := range g.subscribers {
		if len(members) > 0 {
			topics = append(topics, topic)
		}
	}
	slices.SortStableFunc(topics, func(a, b int) int {
		membersA, membersB := len(g.subscribers[a]), len(g.subscribers[b])
		return cmp.Or(
			cmp.Compare(len(g.owner[b])*membersA, len(g.owner[a])*membersB),
			cmp.Compare(membersA, membersB),
		)
	})
	return topics
}

func (g *group) give(topic, partition, to int) {
	if from := g.owner[topic][partition]; from != assignor.Nobody {
		g.load[from]--
	}
	g.owner[topic][partition] = to
	g.load[to]++
}

// fill gives what nobody has to the subscribers that have least.
func (g *group) fill(ctx context.Context, topics []int) error {
	for _, topic := range topics {
		if err := ctx.Err(); err != nil {
			return err
		}
		scale := newScale(g.load, g.subscribers[topic])
		for partition, owner := range g.owner[topic] {
			if owner == assignor.Nobody {
				g.give(topic, partition, scale.nextLightest())
			}
		}
	}
	return nil
}

// level moves partitions until a whole round moved none.
func (g *group) level(ctx context.Context, topics []int) error {
	shared := slices.DeleteFunc(slices.Clone(topics), func(topic int) bool { return len(g.subscribers[topic]) < 2 })
	// last is the topic that was the last to be changed. When its turn comes
	// again, nothing has changed in between.
	last := assignor.Nobody
	for range mostRounds {
		for _, topic := range shared {
			if err := ctx.Err(); err != nil {
				return err
			}
			if topic == last {
				return nil
			}
			if g.levelTopic(topic) || last == assignor.Nobody {
				last = topic
			}
		}
	}
	return nil
}

// levelTopic moves partitions of the topic from those of its subscribers that
// have most to those that have least. It reports whether any moved.
func (g *group) levelTopic(topic int) bool {
	scale := newScale(g.load, g.subscribers[topic])
	if scale.imbalance() <= 1 {
		return false
	}
	for _, member := range g.subscribers[topic] {
		g.held[member] = g.held[member][:0]
	}
	for partition, owner := range g.owner[topic] {
		g.held[owner] = append(g.held[owner], partition)
	}
	moved := false
	for {
		from, ok := scale.nextHeaviest(func(member int) bool { return len(g.held[member]) > 0 })
		if !ok {
			return moved
		}
		last := len(g.held[from]) - 1
		partition := g.held[from][last]
		g.held[from] = g.held[from][:last]
		to := scale.nextLightest()
		if scale.level() {
			return moved
		}
		g.give(topic, partition, to)
		moved = true
	}
}
