package group

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// checker follows what is written, asked and answered, and holds it to this:
//
//   - no partition is told to two members in one generation of a classic group,
//     nor to a second member of a group of KIP-848 before the first has said that
//     it has given it up, or was removed;
//   - a commit of an older generation or epoch is not accepted from another than
//     the last who committed, nor one of a partition that is another's;
//   - what is fetched is what was committed last.
//
// It knows nothing of the machine but which protocol a group has.
type checker struct {
	t      *testing.T
	groups map[string]*checkedGroup
	// offsets is by the log.
	offsets map[grouplog.OffsetKey]int64
	commits map[grouplog.OffsetKey]commit
}

type checkedGroup struct {
	// epoch is the generation or the group epoch that was written last.
	epoch int32
	// told is for the generation toldIn of a classic group.
	toldIn int32
	told   map[place]string
	// claims is who may have what in a group of KIP-848.
	claims map[place]string
}

// commit is the last that was accepted for a partition.
type commit struct {
	by    string
	epoch int32
}

func newChecker(t *testing.T) *checker {
	return &checker{t: t, groups: map[string]*checkedGroup{}, offsets: map[grouplog.OffsetKey]int64{}, commits: map[grouplog.OffsetKey]commit{}}
}

func (c *checker) group(id string) *checkedGroup {
	g := c.groups[id]
	if g == nil {
		g = &checkedGroup{toldIn: -1, told: map[place]string{}, claims: map[place]string{}}
		c.groups[id] = g
	}
	return g
}

// follow takes in what a step wrote.
func (c *checker) follow(records []grouplog.Record) {
	for _, r := range records {
		g := c.group(r.Key.GroupID())
		switch k := r.Key.(type) {
		case grouplog.OffsetKey:
			c.followOffset(k, r.Value)
		case grouplog.MemberKey:
			if r.Value == nil {
				g.release(k.Member, nil)
			}
		case grouplog.ConsumerGroupKey:
			if v, exists := r.Value.(*grouplog.ConsumerGroup); exists {
				c.advance(k.Group, v.Epoch)
			}
		case grouplog.ClassicGroupKey:
			if v, exists := r.Value.(*grouplog.ClassicGroup); exists {
				c.advance(k.Group, v.Generation)
			}
		}
	}
}

func (c *checker) followOffset(k grouplog.OffsetKey, value grouplog.Value) {
	if v, exists := value.(*grouplog.Offset); exists {
		c.offsets[k] = v.Offset
		return
	}
	delete(c.offsets, k)
	delete(c.commits, k)
}

// advance follows the epoch of a group. One that goes back is of another group
// with the same name, for the first was deleted.
func (c *checker) advance(id string, epoch int32) {
	g := c.group(id)
	if epoch < g.epoch {
		c.groups[id] = nil
		g = c.group(id)
		for k := range c.commits {
			if k.Group == id {
				delete(c.commits, k)
			}
		}
	}
	g.epoch = epoch
}

// release leaves a member what it says it has, at most.
func (g *checkedGroup) release(member string, kept map[place]bool) {
	for p, by := range g.claims {
		if by == member && !kept[p] {
			delete(g.claims, p)
		}
	}
}

// said takes in what a member says that it has, when the machine hears of it.
func (c *checker) said(m *Machine, q kmsg.Request) {
	switch q := q.(type) {
	case *kmsg.ConsumerGroupHeartbeatRequest:
		if q.Topics == nil && q.MemberEpoch >= 0 {
			return
		}
		kept := map[place]bool{} // who leaves has nothing
		for _, topic := range q.Topics {
			for _, p := range topic.Partitions {
				kept[place{topic.TopicID, p}] = true
			}
		}
		c.group(q.Group).release(q.MemberID, kept)
	case *kmsg.JoinGroupRequest:
		subscription := kmsg.NewConsumerMemberMetadata()
		require.NoError(c.t, subscription.ReadFrom(q.Protocols[0].Metadata))
		kept := map[place]bool{}
		for _, owned := range subscription.OwnedPartitions {
			id, _ := m.world.topicID(owned.Topic)
			for _, p := range owned.Partitions {
				kept[place{id, p}] = true
			}
		}
		c.group(q.Group).release(q.MemberID, kept)
	}
}

// checkAnswer looks at what a client is told.
func (c *checker) checkAnswer(m *Machine, q kmsg.Request, response kmsg.Response) {
	switch r := response.(type) {
	case *kmsg.ConsumerGroupHeartbeatResponse:
		if r.Assignment != nil {
			c.claim(q.(*kmsg.ConsumerGroupHeartbeatRequest).Group, *r.MemberID, placesOf(r.Assignment))
		}
	case *kmsg.SyncGroupResponse:
		if q := q.(*kmsg.SyncGroupRequest); r.ErrorCode == 0 {
			c.checkShare(m, q, m.world.World.(*broker).placesIn(r.MemberAssignment))
		}
	case *kmsg.OffsetCommitResponse:
		c.checkCommit(m, q.(*kmsg.OffsetCommitRequest), r)
	}
}

func (c *checker) claim(group, member string, places []place) {
	g := c.group(group)
	for _, p := range places {
		if by, taken := g.claims[p]; taken && by != member {
			c.t.Fatalf("group %s: %v is given to %s while %s has it", group, p, member, by)
		}
		g.claims[p] = member
	}
}

func (c *checker) checkShare(m *Machine, q *kmsg.SyncGroupRequest, share []place) {
	g, who := c.group(q.Group), identity(q.MemberID, q.InstanceID)
	if e := m.groups[q.Group]; e.consumer != nil {
		c.claim(q.Group, q.MemberID, share)
		return
	}
	require.GreaterOrEqual(c.t, q.Generation, g.toldIn, "group %s: a share of an old generation", q.Group)
	if q.Generation > g.toldIn {
		g.toldIn, g.told = q.Generation, map[place]string{}
	}
	for _, p := range share {
		if by, taken := g.told[p]; taken && by != who {
			c.t.Fatalf("group %s: in generation %d %v is given to %s and to %s", q.Group, q.Generation, p, by, who)
		}
		g.told[p] = who
	}
}

func (c *checker) checkCommit(m *Machine, q *kmsg.OffsetCommitRequest, r *kmsg.OffsetCommitResponse) {
	for i, t := range r.Topics {
		for _, p := range t.Partitions {
			if p.ErrorCode != 0 {
				continue
			}
			k := grouplog.OffsetKey{Group: q.Group, Topic: t.Topic, Partition: p.Partition}
			c.checkOwner(m, q, k)
			this, last := commit{identity(q.MemberID, q.InstanceID), q.Generation}, c.commits[k]
			if this.by != last.by && this.epoch >= 0 {
				require.GreaterOrEqual(c.t, this.epoch, last.epoch, "%v was committed by %v, and then by %v", k, last, this)
			}
			c.commits[k] = this
			require.Equal(c.t, q.Topics[i].Partitions[0].Offset, c.offsets[k])
		}
	}
}

// checkOwner looks at a commit that was accepted: no generation follows the one
// of a classic group that it names, and nobody else has the partition in a group
// of KIP-848.
func (c *checker) checkOwner(m *Machine, q *kmsg.OffsetCommitRequest, k grouplog.OffsetKey) {
	e, g := m.groups[q.Group], c.group(q.Group)
	if q.Generation < 0 {
		require.Zero(c.t, e.size(), "%v was committed by nobody in particular, and the group has members", k)
		return
	}
	if e.consumer == nil {
		require.GreaterOrEqual(c.t, q.Generation, g.toldIn, "%v was committed by %s", k, q.MemberID)
		return
	}
	id, _ := m.world.topicID(k.Topic)
	if by, claimed := g.claims[place{id, k.Partition}]; claimed {
		require.Equal(c.t, by, q.MemberID, "%v was committed by another than its owner", k)
	}
}

// checkSettled looks at all groups after everybody had time.
func (s *simulation) checkSettled() {
	list := kmsg.NewPtrListGroupsRequest()
	states := map[string]string{}
	for _, g := range s.machine.List(list) {
		states[g.Group] = g.GroupState
	}
	for _, id := range []string{"g0", "g1", "g2"} {
		var alive []*simClient
		for _, c := range s.clients {
			if c.group == id {
				alive = append(alive, c)
			}
		}
		if len(alive) == 0 {
			require.Contains(s.t, []string{"", "Empty"}, states[id], id)
			continue
		}
		require.Equal(s.t, "Stable", states[id], id)
		require.Equal(s.t, len(alive), s.machine.groups[id].size(), id)
		s.checkOwners(id, alive)
		s.checkOffsets(id)
	}
}

// checkOwners holds the clients' own words against each other: each partition
// that one of them subscribes to is one's.
func (s *simulation) checkOwners(id string, alive []*simClient) {
	owners := map[place]string{}
	for _, c := range alive {
		for _, p := range c.owns {
			require.NotContains(s.t, owners, p, "group %s: it is %s's and %s's", id, owners[p], c.id)
			owners[p] = c.id
		}
	}
	for _, c := range alive {
		for _, name := range c.subscribed() {
			topic := s.broker.Topics[name]
			for p := range topic.Partitions {
				require.Contains(s.t, owners, place{topic.ID, p}, "group %s: %s-%d is nobody's", id, name, p)
			}
		}
	}
}

// subscribed are the topics that a client asks for, by name or by its regular
// expression.
func (c *simClient) subscribed() []string {
	k, ok := c.speaks.(*simConsumer)
	if !ok || k.regex == nil {
		return c.topics
	}
	asked := step.Resolve{Expressions: []string{*k.regex}}
	return append(slices.Clone(c.topics), c.match(c.t, asked).Topics[0]...)
}

func (s *simulation) checkOffsets(id string) {
	for topic, partitions := range s.machine.offsets.Of(id) {
		for number, committed := range partitions {
			require.Equal(s.t, s.offsets[grouplog.OffsetKey{Group: id, Topic: topic, Partition: number}], committed.Offset)
		}
	}
}
