package coordinator

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
)

// Apply follows the metadata: machines come and go with the leadership of their
// partitions, and learn of topics that changed. It is a subscriber of the
// controller, after the partitions.
func (c *Coordinator) Apply(old, next *metadata.Image) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil
	}
	topic, ok := next.Topic(Topic)
	if !ok {
		c.drop()
		return nil
	}
	if before, had := old.Topic(Topic); had && before.ID != topic.ID {
		c.drop() // it was deleted and created again
	}
	c.follow(topic, next)
	if gone, changed := changedTopics(old, next); changed {
		for _, s := range c.all() {
			s.topicsChanged(gone)
		}
	}
	return nil
}

// follow begins and ends machines by who leads. mu is held.
func (c *Coordinator) follow(topic *metadata.Topic, next *metadata.Image) {
	shards := c.all()
	if len(shards) < len(topic.Partitions) {
		grown := make([]*shard, len(topic.Partitions))
		for i := copy(grown, shards); i < len(grown); i++ {
			grown[i] = newShard(c, int32(i))
		}
		c.shards.Store(&grown)
		shards = grown
	}
	seen := c.newView(next)
	for i, s := range shards {
		r := topic.Partitions[i].Record
		s.lead(r.Leader == c.Config.NodeID, r.LeaderEpoch, seen)
	}
}

// drop ends all machines. mu is held.
func (c *Coordinator) drop() {
	for _, s := range c.all() {
		s.end()
	}
	c.shards.Store(nil)
}

// lead begins a machine or ends it, and shows it the metadata. That is not yet
// what the controller has, which shows an image when its subscribers have seen
// it. A leadership that went to another broker and came back is a new one, even
// if nobody saw it go.
func (s *shard) lead(here bool, epoch int32, seen *view) {
	s.mu.Lock()
	defer s.unlock()
	s.image.Store(seen)
	works := s.state == loading || s.state == serving
	if works && (!here || epoch != s.leaderEpoch) {
		s.leave(away, kerr.NotCoordinator)
	}
	if here && s.state == away {
		s.state, s.leaderEpoch = loading, epoch
		s.failures, s.told = 0, passedOver{}
		s.load(0)
	}
}

// end ends a machine whose partition is no more.
func (s *shard) end() {
	s.mu.Lock()
	defer s.unlock()
	if s.state != stopped {
		s.leave(away, kerr.NotCoordinator)
	}
}

func (s *shard) topicsChanged(gone []step.Topic) {
	s.mu.Lock()
	defer s.unlock()
	if s.state == serving {
		s.step(func() step.Output { return s.machine.TopicsChanged(s.now(), gone) })
	}
}

// changedTopics finds the topics of old that are no more, and whether any topic
// came, went or grew.
func changedTopics(old, next *metadata.Image) (gone []step.Topic, changed bool) {
	for before, after := range metadata.Changed(old, next) {
		switch {
		case before == nil || after == nil || before.ID != after.ID:
			changed = true
		case len(before.Partitions) != len(after.Partitions):
			changed = true
		}
		if before != nil && (after == nil || before.ID != after.ID) {
			gone = append(gone, describe(old, before))
		}
	}
	return gone, changed
}
