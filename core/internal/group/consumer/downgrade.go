package consumer

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/step"
)

// allows reports whether group.consumer.migration.policy lets a group go one
// way, "upgrade" or "downgrade".
func allows(settings *step.Settings, way string) bool {
	policy := settings.ConsumerMigrationPolicy
	return strings.EqualFold(policy, way) || strings.EqualFold(policy, "bidirectional")
}

// Downgradable reports whether the group is to become a classic one: the last
// member of the consumer protocol is gone, the policy allows it, and a classic
// group has room for the others. It is to be asked after every step.
func (g *Group) Downgradable() bool {
	if len(g.members) == 0 || g.counts.classic < len(g.members) {
		return false
	}
	settings := g.settings()
	return allows(settings, "downgrade") && len(g.members) <= int(settings.MaxSize) && g.counts.kept <= classic.MostKept
}

// ToClassic ends the group, because a classic one goes on with its members, in
// the generation that is returned. Each has what it had. A rebalance must follow
// if not all of them are where the last assignment wants them, as when somebody
// left. The group is Dead then.
func (g *Group) ToClassic(out *step.Output) (generation int32, members []classic.Member, rebalance bool) {
	for _, w := range g.waiting {
		if w.classic != nil {
			out.Answer(w.to, refusedJoin(again(g.id)))
		} else {
			g.refuse(w, g.unknownMember(w.member.id), out)
		}
	}
	g.waiting, g.assigning, g.resolving = nil, nil, nil
	generation = g.epoch
	rebalance = g.deserted || g.State() != "Stable"
	for _, m := range g.inOrder() {
		members = append(members, g.toClassic(m))
	}
	g.Remove(out)
	out.Notes = append(out.Notes, "group "+g.id+": its last member of the consumer protocol is gone, it goes on as a classic group")
	return generation, members, rebalance
}

func (g *Group) toClassic(m *member) classic.Member {
	member := m.asClassic()
	member.Assignment = g.assignmentOf(m)
	return member
}

// asClassic is a classic member without what it has.
func (m *member) asClassic() classic.Member {
	member := classic.Member{
		ID: m.id, InstanceID: m.info.InstanceID, Client: step.Client{ID: m.info.ClientID, Host: m.info.ClientHost},
		SessionTimeoutMillis: m.info.Classic.SessionTimeoutMillis, RebalanceTimeoutMillis: m.info.RebalanceTimeoutMillis,
	}
	for _, p := range m.info.Classic.Protocols {
		protocol := kmsg.NewJoinGroupRequestProtocol()
		protocol.Name, protocol.Metadata = p.Name, p.Metadata
		member.Protocols = append(member.Protocols, protocol)
	}
	return member
}

// assignmentOf is what a member has, in the format and version of its own
// subscription.
func (g *Group) assignmentOf(m *member) []byte {
	assignment := kmsg.NewConsumerMemberAssignment()
	if subscription, err := decodeSubscription(m.info.Classic.Protocols[0].Metadata); err == nil {
		assignment.Version = subscription.Version
	}
	for _, topic := range byTopic(placesHeld(m.current.assigned)) {
		name, exists := g.world.TopicName(topic.TopicID)
		if !exists {
			continue
		}
		given := kmsg.NewConsumerMemberAssignmentTopic()
		given.Topic, given.Partitions = name, topic.Partitions
		assignment.Topics = append(assignment.Topics, given)
	}
	return assignment.AppendTo(nil)
}
