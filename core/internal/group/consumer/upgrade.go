package consumer

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// Classic is a classic group that is to go on as one of KIP-848.
type Classic struct {
	ProtocolType, Protocol string
	Generation             int32
	Members                []classic.Member
}

// FromClassic makes a group that goes on with the members of a classic one, each
// with what it has, and the records for it: they belong behind the tombstone of
// the classic group. It refuses, with nothing in out, if the policy, the size of
// the group or what its members said does not let it; then the group stays a
// classic one, for which a member of the consumer protocol finds no group.
func FromClassic(now int64, id string, world step.World, from Classic, out *step.Output) (*Group, *refusal.Refusal) {
	settings := world.Settings(id)
	switch {
	case !allows(settings, "upgrade"):
		return nil, cannotUpgrade(id, "group.consumer.migration.policy does not allow it")
	case from.ProtocolType != step.ConsumerProtocol:
		return nil, cannotUpgrade(id, fmt.Sprintf("its protocol type is %q", from.ProtocolType))
	case len(from.Members) > int(settings.ConsumerMaxSize):
		return nil, cannotUpgrade(id, fmt.Sprintf("it has %d members, and group.consumer.max.size is %d", len(from.Members), settings.ConsumerMaxSize))
	}
	infos, currents := make([]*grouplog.Member, len(from.Members)), make([]current, len(from.Members))
	for i, m := range from.Members {
		subscription, assigned, err := upgraded(m, from, world)
		if err != nil {
			return nil, cannotUpgrade(id, fmt.Sprintf("member %q: %v", m.ID, err))
		}
		infos[i] = upgradedInfo(m, subscription)
		currents[i] = current{epoch: from.Generation, previous: from.Generation, assigned: assigned}
	}
	g := New(id, world)
	g.found(now, from, infos, currents, out)
	return g, nil
}

func cannotUpgrade(id, why string) *refusal.Refusal {
	return refusal.New(kerr.GroupIDNotFound, "classic group %q cannot go on as a group of the consumer protocol: %s", id, why)
}

// found makes the records of the group and starts the sessions of its members.
func (g *Group) found(now int64, from Classic, infos []*grouplog.Member, currents []current, out *step.Output) {
	for i, m := range from.Members {
		g.emit(out, grouplog.MemberKey{Group: g.id, Member: m.ID}, infos[i])
	}
	g.emit(out, grouplog.ConsumerGroupKey{Group: g.id}, &grouplog.ConsumerGroup{Epoch: from.Generation, MetadataHash: g.hashTopics()})
	for i, m := range from.Members {
		g.emit(out, grouplog.TargetMemberKey{Group: g.id, Member: m.ID}, &grouplog.TargetMember{Partitions: byTopic(placesHeld(currents[i].assigned))})
	}
	g.emit(out, grouplog.TargetKey{Group: g.id}, &grouplog.Target{Epoch: from.Generation})
	for i, m := range from.Members {
		g.emit(out, grouplog.CurrentKey{Group: g.id, Member: m.ID}, currents[i].record())
		g.timers.set(g.members[m.ID], sessionTimer, now+int64(m.SessionTimeoutMillis))
	}
	out.Notes = append(out.Notes, fmt.Sprintf("group %s: a member of the consumer protocol joins its %d classic members", g.id, len(from.Members)))
}

// upgraded reads what a member subscribes to and what it has.
func upgraded(m classic.Member, from Classic, world step.World) (*kmsg.ConsumerMemberMetadata, []held, error) {
	// A group that has not chosen yet has no protocol.
	chosen := max(0, slices.IndexFunc(m.Protocols, func(p kmsg.JoinGroupRequestProtocol) bool { return p.Name == from.Protocol }))
	subscription, err := decodeSubscription(m.Protocols[chosen].Metadata)
	if err != nil {
		return nil, nil, fmt.Errorf("its subscription cannot be read: %w", err)
	}
	if len(m.Assignment) == 0 {
		return subscription, nil, nil
	}
	assignment := kmsg.NewConsumerMemberAssignment()
	if err := assignment.ReadFrom(m.Assignment); err != nil {
		return nil, nil, fmt.Errorf("its assignment cannot be read: %w", err)
	}
	if len(assignment.UserData) > 0 {
		return nil, nil, fmt.Errorf("its assignment has user data of a custom assignor, which would be lost")
	}
	var places []place
	for _, topic := range assignment.Topics {
		if known, exists := world.Topic(topic.Topic); exists {
			for _, partition := range topic.Partitions {
				places = append(places, place{known.ID, partition})
			}
		}
	}
	slices.SortFunc(places, place.compare)
	var assigned []held
	for _, p := range slices.Compact(places) {
		assigned = append(assigned, held{p, from.Generation})
	}
	return subscription, assigned, nil
}

func upgradedInfo(m classic.Member, subscription *kmsg.ConsumerMemberMetadata) *grouplog.Member {
	none := ""
	info := &grouplog.Member{
		InstanceID: m.InstanceID, RackID: subscription.Rack, ClientID: m.Client.ID, ClientHost: m.Client.Host,
		Topics: slices.Compact(slices.Sorted(slices.Values(subscription.Topics))), Regex: &none,
		RebalanceTimeoutMillis: m.RebalanceTimeoutMillis,
		Classic:                &grouplog.ClassicMember{SessionTimeoutMillis: m.SessionTimeoutMillis},
	}
	for _, p := range m.Protocols {
		info.Classic.Protocols = append(info.Classic.Protocols, grouplog.ClassicProtocol{Name: p.Name, Metadata: p.Metadata})
	}
	return info
}
