package kgoadapter

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

const assignTimeout = 5 * time.Second

// metadataVersion is the first version of the consumer protocol that carries a
// member's rack; it also carries what the member owns and of which generation.
const metadataVersion = 3

// Balancer makes an assignor module a balancer of classic consumer groups. The
// name is the group protocol's: all members of a group must offer one of the
// same name that works alike, so it should not be that of another balancer which
// other clients bring along.
//
// A balancer of Kafka's names works alike with the modules of these names:
// "range" with assignor/range and its rack.aware, "roundrobin", "sticky" with
// [OwnedInUserData], and "cooperative-sticky" with [Cooperative].
//
// The fallback is range, as in the Java client.
func Balancer(name string, a assignor.Assignor, changes ...Option) kgo.GroupBalancer {
	o := settle(assignTimeout, changes)
	return &balancer{name: name, module: a, options: o, failures: failures{log: o.log}}
}

type balancer struct {
	name     string
	module   assignor.Assignor
	options  options
	failures failures
}

func (b *balancer) ProtocolName() string { return b.name }

func (b *balancer) IsCooperative() bool { return b.options.cooperative }

// JoinGroupMetadata leaves the rack to the client, which adds its own.
func (b *balancer) JoinGroupMetadata(topics []string, owned map[string][]int32, generation int32) []byte {
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Version = metadataVersion
	meta.Topics, meta.Generation = topics, generation
	if b.options.ownedInUserData {
		meta.UserData = appendStickyData(owned, generation)
		return meta.AppendTo(nil)
	}
	meta.UserData = b.options.userData()
	for _, topic := range slices.Sorted(maps.Keys(owned)) {
		claim := kmsg.NewConsumerMemberMetadataOwnedPartition()
		claim.Topic, claim.Partitions = topic, owned[topic]
		meta.OwnedPartitions = append(meta.OwnedPartitions, claim)
	}
	return meta.AppendTo(nil)
}

func (b *balancer) ParseSyncAssignment(assignment []byte) (map[string][]int32, error) {
	topics, err := kgo.ParseConsumerSyncAssignment(assignment)
	if err != nil {
		return nil, err
	}
	var parsed kmsg.ConsumerMemberAssignment
	if err := parsed.ReadFrom(assignment); err != nil {
		return nil, err
	}
	b.options.received(parsed.UserData)
	return topics, nil
}

func (b *balancer) MemberBalancer(members []kmsg.JoinGroupResponseMember) (kgo.GroupMemberBalancer, map[string]struct{}, error) {
	group, err := kgo.NewConsumerBalancer(b, members)
	return group, group.MemberTopics(), err
}

// Balance is called on the member that leads the group.
func (b *balancer) Balance(group *kgo.ConsumerBalancer, topics map[string]int32) kgo.IntoSyncAssignment {
	snapshot := takeSnapshot(group, topics)
	if b.options.ownedInUserData {
		for i := range snapshot.Members {
			member := &snapshot.Members[i]
			member.Owned, member.Generation = parseStickyData(member.UserData)
		}
	}
	assignment, err := b.ask(snapshot)
	if b.failures.note(err, "range") != nil {
		return b.fallBack(group, topics)
	}
	plan := group.NewPlan()
	for i := range group.Members() {
		member, _ := group.MemberAt(i)
		at, _ := snapshot.find(member.MemberID)
		for _, tp := range assignment.Members[at].Partitions {
			plan.AddPartitions(member, tp.Topic, tp.Partitions)
		}
	}
	if b.options.cooperative {
		plan.AdjustCooperative(group)
	}
	return &syncPlan{partitions: plan.AsMemberIDMap(), userData: userDataOf(snapshot, assignment)}
}

func (b *balancer) ask(s snapshot) (answer assignor.Assignment, err error) {
	// A panic would end the application, and then that of the member which leads the
	// group next, one after the other.
	defer module.Recovered(&err)
	ctx, cancel := context.WithTimeout(context.Background(), b.options.timeout)
	defer cancel()
	if answer, err = b.module.Assign(ctx, s.Snapshot); err != nil {
		return assignor.Assignment{}, err
	}
	return answer, assignor.Check(s.Snapshot, answer)
}

func (b *balancer) fallBack(group *kgo.ConsumerBalancer, topics map[string]int32) kgo.IntoSyncAssignment {
	ranged, ok := kgo.RangeBalancer().(kgo.ConsumerBalancerBalance)
	if !ok {
		group.SetError(errors.New("franz-go's range balancer cannot be called; use the version of franz-go that odradek.dev/sdk requires"))
		return nil
	}
	assigned := ranged.Balance(group, topics)
	if plan, ok := assigned.(*kgo.BalancePlan); ok && b.options.cooperative {
		plan.AdjustCooperative(group)
	}
	return assigned
}
