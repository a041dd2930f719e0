package classic

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Member is a member as it moves between a classic group and one of KIP-848.
type Member struct {
	ID                                           string
	InstanceID                                   *string
	Client                                       step.Client
	SessionTimeoutMillis, RebalanceTimeoutMillis int32
	// Protocols are what it supports, the one that it prefers first. There is one
	// at least.
	Protocols []kmsg.JoinGroupRequestProtocol
	// Assignment is its share, in the form of its protocol.
	Assignment []byte
}

// Members lists the members in the order in which they joined.
func (g *Group) Members() []Member {
	list := make([]Member, 0, g.Size())
	for _, m := range g.members.inOrder {
		list = append(list, Member{
			ID: m.id, InstanceID: m.instanceID, Client: m.client,
			SessionTimeoutMillis: m.sessionTimeoutMillis, RebalanceTimeoutMillis: m.rebalanceTimeout,
			Protocols: m.protocols, Assignment: m.assignment,
		})
	}
	return list
}

// Upgrade ends the group, because one of KIP-848 goes on with its members:
// those who wait are told to join again, which is how they come to the other
// group, and the tombstone is written. The group is Dead then.
func (g *Group) Upgrade(out *step.Output) {
	for _, m := range g.members.inOrder {
		g.answerJoin(m, joinError(m.id, kerr.RebalanceInProgress), out)
		g.answerSync(m, syncError(kerr.RebalanceInProgress), out)
	}
	g.entomb(out)
	g.note(out, "goes on as a group of the consumer protocol")
}

// Downgrade makes a classic group that goes on with the members of one of
// KIP-848, stable in the generation that is that group's epoch, and writes its
// record. The members have a protocol in common and distinct ids. If not all of
// them have what they are to have, a rebalance begins; the record has no leader
// then, so that it also does when the coordinator starts anew before its end.
func Downgrade(now int64, id string, w step.World, epoch int32, list []Member, rebalance bool, out *step.Output) (*Group, error) {
	g := New(id, w)
	g.generation, g.protocolType = epoch, step.ConsumerProtocol
	for i := range list {
		from := &list[i]
		g.members.add(&member{
			id: from.ID, instanceID: from.InstanceID, client: from.Client,
			sessionTimeoutMillis: from.SessionTimeoutMillis, rebalanceTimeout: from.RebalanceTimeoutMillis,
			protocols: from.Protocols, assignment: from.Assignment, session: session{Value: from.ID},
		})
	}
	g.protocol, g.leader = g.members.choose(), g.members.firstID()
	if g.protocol == "" {
		return nil, fmt.Errorf("group %s cannot go on as a classic group: its %d members have no protocol in common", id, len(list))
	}
	if rebalance {
		g.leader = ""
	}
	g.record(now, g.assigned, out)
	g.note(out, "goes on as a group of the classic protocol")
	for _, m := range g.members.inOrder {
		g.keepAlive(now, m)
	}
	if rebalance {
		g.rebalance(now, out, "the last member of the consumer protocol is gone")
	}
	return g, nil
}
