package kafkasticky

import (
	"cmp"
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// levelling is the balancing of members of mixed subscriptions.
type levelling struct {
	*group
	moves moves
	// uneven is a topic that was seen not to be level. It is looked at first.
	uneven int
}

// assignByLevel is for members of mixed subscriptions. Kafka's would go back to
// what it had before levelling if that was no more uneven; it never is.
func (g *group) assignByLevel(ctx context.Context) error {
	revoked := g.keep()
	topics := g.fewestSubscribersFirst()
	free := g.free(topics)
	if err := g.fill(ctx, free); err != nil {
		return err
	}
	l := &levelling{group: g, moves: newMoves(g.snapshot)}
	if !revoked {
		// New partitions are moved first, since nobody has to give them up.
		if err := l.level(ctx, g.shared(free)); err != nil {
			return err
		}
	}
	return l.level(ctx, g.shared(g.all(topics)))
}

// keep leaves members what they own. It reports whether somebody has to give
// something up, since it no longer subscribes or is in another rack.
func (g *group) keep() (revoked bool) {
	for topic, owners := range g.claims.owner {
		for partition, owner := range owners {
			at := place{topic, partition}
			switch {
			case owner == assignor.Nobody:
			case !g.subscribes(owner, topic) || g.racks.mismatch(owner, at):
				revoked = true
			default:
				g.give(at, owner)
			}
		}
	}
	return revoked
}

func (g *group) subscribes(member, topic int) bool {
	_, found := slices.BinarySearch(g.subscribers[topic], member)
	return found
}

func (g *group) topic(name string) (int, bool) {
	return slices.BinarySearchFunc(g.snapshot.Topics, name, func(t assignor.Topic, name string) int { return cmp.Compare(t.Name, name) })
}

// fewestSubscribersFirst is the topics in the order in which they are served:
// those first that leave the least choice.
func (g *group) fewestSubscribersFirst() []int {
	topics := make([]int, len(g.owner))
	for i := range topics {
		topics[i] = i
	}
	slices.SortStableFunc(topics, func(a, b int) int { return cmp.Compare(len(g.subscribers[a]), len(g.subscribers[b])) })
	return topics
}

func (g *group) all(topics []int) []place {
	var all []place
	for _, topic := range topics {
		for partition := range g.owner[topic] {
			all = append(all, place{topic, partition})
		}
	}
	return all
}

// shared leaves out the partitions of topics that do not have two subscribers.
func (g *group) shared(places []place) []place {
	return slices.DeleteFunc(slices.Clone(places), func(at place) bool { return len(g.subscribers[at.topic]) < 2 })
}

// fill gives each partition to the lightest subscriber, first those for which
// there is one in a rack of theirs.
func (g *group) fill(ctx context.Context, free []place) error {
	for _, byRack := range []bool{true, false} {
		if byRack && !g.racks.aware {
			continue
		}
		for _, at := range free {
			if err := ctx.Err(); err != nil {
				return err
			}
			if g.owner[at.topic][at.partition] != assignor.Nobody {
				continue
			}
			to := g.lightest(g.subscribers[at.topic], func(member int) bool { return !byRack || !g.racks.mismatch(member, at) })
			if to != assignor.Nobody {
				g.give(at, to)
			}
		}
	}
	return nil
}

// level moves partitions, in turn, from their owners to members that have at
// least two less, until that helps no more.
func (l *levelling) level(ctx context.Context, places []place) error {
	for again := true; again; {
		again = false
		for _, at := range places {
			if err := ctx.Err(); err != nil {
				return err
			}
			if l.isLevel() {
				break
			}
			owner := l.owner[at.topic][at.partition]
			to, claimed := l.claims.older[at]
			if !claimed || !l.subscribes(to, at.topic) || l.load[owner] <= l.load[to]+1 {
				to = l.lightest(l.subscribers[at.topic], anybody)
			}
			if l.load[owner] > l.load[to]+1 {
				l.move(at, owner, to)
				again = true
			}
		}
	}
	return nil
}

// isLevel reports whether no member has a partition that another subscriber of
// its topic, with at least two less, could have instead.
func (l *levelling) isLevel() bool {
	if l.isUneven(l.uneven) {
		return false
	}
	for topic := range l.owner {
		if l.isUneven(topic) {
			l.uneven = topic
			return false
		}
	}
	return true
}

func (l *levelling) isUneven(topic int) bool {
	if len(l.subscribers[topic]) < 2 {
		return false
	}
	least := l.load[l.lightest(l.subscribers[topic], anybody)]
	return slices.ContainsFunc(l.owner[topic], func(owner int) bool { return l.load[owner] > least+1 })
}

// move gives the partition to another member, or one of the same topic that
// undoes an earlier move between the same two.
func (l *levelling) move(at place, owner, to int) {
	at = l.moves.instead(at, owner, to)
	l.moves.note(at, l.owner[at.topic][at.partition], to)
	l.give(at, to)
}
