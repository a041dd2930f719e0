package consumer

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// Commit is who wants to commit offsets, and by which request.
type Commit struct {
	MemberID   string
	InstanceID *string
	// Epoch is the member epoch, or the generation of the classic protocol.
	Epoch         int32
	Transactional bool
	// Version is that of OffsetCommit or TxnOffsetCommit.
	Version int16
}

// CheckCommit refuses a commit as a whole, or gives what is to be asked for
// each partition; nil if all are allowed. A member that is behind its epoch may
// commit what it has had since the epoch that it knows (KIP-1251): such a
// partition nobody else can have committed meanwhile.
func (g *Group) CheckCommit(c Commit) (partition func(topic string, id [16]byte, partition int32) *refusal.Refusal, refused *refusal.Refusal) {
	byNobody := c.Transactional && c.Epoch == -1 && c.MemberID == "" && c.InstanceID == nil
	if byNobody || c.Epoch < 0 && len(g.members) == 0 {
		return nil, nil
	}
	m := g.members[c.MemberID]
	switch {
	case m == nil:
		return nil, g.unknownMember(c.MemberID)
	case !c.Transactional && !m.classic() && c.Version < 9:
		return nil, refusal.New(kerr.UnsupportedVersion, "a member of the consumer protocol commits with OffsetCommit version 9 or higher, not %d", c.Version)
	case c.Epoch == m.current.epoch:
		return func(topic string, id [16]byte, partition int32) *refusal.Refusal {
			return g.checkOwned(m, topic, id, partition)
		}, nil
	case c.Epoch > m.current.epoch:
		return nil, refusal.New(stale(m), "member %q is at epoch %d and not at %d", m.id, m.current.epoch, c.Epoch)
	}
	return func(topic string, id [16]byte, partition int32) *refusal.Refusal {
		return g.checkHeld(m, c.Epoch, topic, id, partition)
	}, nil
}

// checkOwned refuses a partition that is another's now. A member that is to give
// up several, one after the other, is at its epoch until the last: a commit that
// it sent before the first can be later than the new owner.
func (g *Group) checkOwned(m *member, topic string, id [16]byte, partition int32) *refusal.Refusal {
	if owner := g.owners[g.placeOf(topic, id, partition)]; owner != nil && owner != m {
		return refusal.New(stale(m), "member %q has given up %s-%d, which member %q has now", m.id, topic, partition, owner.id)
	}
	return nil
}

// placeOf is by the name of the topic where its id is not told.
func (g *Group) placeOf(topic string, id [16]byte, partition int32) place {
	if id == ([16]byte{}) {
		if known, exists := g.world.Topic(topic); exists {
			id = known.ID
		}
	}
	return place{id, partition}
}

// checkHeld refuses a partition that the member has not had since an epoch.
func (g *Group) checkHeld(m *member, epoch int32, topic string, id [16]byte, partition int32) *refusal.Refusal {
	at := g.placeOf(topic, id, partition)
	since, holds := find(m.current.assigned, at)
	if !holds {
		since, holds = find(m.current.revoking, at)
	}
	switch {
	case !holds:
		return refusal.New(stale(m), "member %q does not have %s-%d at epoch %d", m.id, topic, partition, m.current.epoch)
	case epoch < since:
		return refusal.New(stale(m), "member %q has %s-%d since epoch %d, and commits with epoch %d", m.id, topic, partition, since, epoch)
	}
	return nil
}

// CheckFetch refuses to hand offsets to a member that is not where the group
// knows it. Without a member id everybody may ask.
func (g *Group) CheckFetch(memberID *string, epoch int32) *refusal.Refusal {
	if memberID == nil && epoch < 0 {
		return nil
	}
	id := ""
	if memberID != nil {
		id = *memberID
	}
	m := g.members[id]
	if m == nil {
		return g.unknownMember(id)
	}
	if epoch != m.current.epoch {
		return refusal.New(stale(m), "member %q is at epoch %d and not at %d", m.id, m.current.epoch, epoch)
	}
	return nil
}

// stale is the word for a wrong epoch in the member's own protocol.
func stale(m *member) *kerr.Error {
	if m.classic() {
		return kerr.IllegalGeneration
	}
	return kerr.StaleMemberEpoch
}
