package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// Group is one group. It belongs to one goroutine.
type Group struct {
	id    string
	world step.World

	// Durable: Apply alone changes it.

	exists       bool
	epoch        int32
	metadataHash int64
	// targetEpoch is at most epoch. A group begins with both at 1, and a target
	// of nothing for anybody. targetTime is when the target was computed, 0 if
	// the next may follow at once.
	targetEpoch int32
	targetTime  int64
	members     map[string]*member
	regexes     map[string]*grouplog.Regex

	// Derived from what is durable, so that a heartbeat looks at no other
	// member.

	// statics finds the member that has an instance id now.
	statics map[string]*member
	// owners has who holds a place, assigned or not yet revoked.
	owners map[place]*member
	counts counts
	// unnamed are members of which a record came before the one that makes them
	// members: compaction keeps the last record of each key, in any order. Nil
	// once the group was loaded.
	unnamed map[string]*member

	// Volatile.

	timers    timers
	assigning *assigning
	resolving *resolving
	waiting   []waiter
	topics    topicCache
	// refreshAt is when the topics must be looked at again.
	refreshAt int64
	// regexesAt is when all regular expressions were resolved last, and resolveAt
	// keeps a question about them that failed from being asked again at once.
	regexesAt, resolveAt int64
	// retryAt keeps an assignor that failed from being asked at once.
	retryAt int64
	// deserted is set where the last member of the consumer protocol left and the
	// group is to become a classic one, in the same step.
	deserted bool
	decided  decision
	// rebalanceAt is when the rebalance that is under way began, 0 if none is.
	rebalanceAt int64
}

// New makes a group that the log says nothing of yet.
func New(id string, world step.World) *Group {
	return &Group{
		id: id, world: world, epoch: 1, targetEpoch: 1,
		members: map[string]*member{}, regexes: map[string]*grouplog.Regex{},
		statics: map[string]*member{}, owners: map[place]*member{}, unnamed: map[string]*member{},
		counts: newCounts(), topics: newTopicCache(), refreshAt: step.Never,
	}
}

// Exists reports whether the log has the group. One that no request could join
// does not.
func (g *Group) Exists() bool { return g.exists }

// Epoch is the group epoch.
func (g *Group) Epoch() int32 { return g.epoch }

// Members is how many there are.
func (g *Group) Members() int { return len(g.members) }

// State is one of Kafka's words: Empty, Assigning, Reconciling, Stable, Dead.
// It looks at all members.
func (g *Group) State() string {
	switch {
	case !g.exists:
		return "Dead"
	case len(g.members) == 0:
		return "Empty"
	case g.epoch > g.targetEpoch:
		return "Assigning"
	}
	for _, m := range g.members {
		if !m.isReconciledTo(g.targetEpoch) {
			return "Reconciling"
		}
	}
	return "Stable"
}

// inOrder are the members by ascending id.
func (g *Group) inOrder() []*member {
	members := make([]*member, 0, len(g.members))
	for _, m := range g.members {
		members = append(members, m)
	}
	slices.SortFunc(members, compareMembers)
	return members
}

func (g *Group) settings() *step.Settings { return g.world.Settings(g.id) }

// emit makes a record and applies it.
func (g *Group) emit(out *step.Output, key grouplog.Key, value grouplog.Value) {
	record := grouplog.Record{Key: key, Value: value}
	out.Records = append(out.Records, record)
	g.Apply(record)
}

func (g *Group) drop(out *step.Output, key grouplog.Key) {
	record := grouplog.Delete(key)
	out.Records = append(out.Records, record)
	g.Apply(record)
}

// bump raises the group epoch.
func (g *Group) bump(out *step.Output) { g.stamp(g.epoch+1, g.hashTopics(), out) }

func (g *Group) stamp(epoch int32, hash int64, out *step.Output) {
	g.emit(out, grouplog.ConsumerGroupKey{Group: g.id}, &grouplog.ConsumerGroup{Epoch: epoch, MetadataHash: hash})
}
