package group

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// simClassic is a client of the classic protocol. An eager one gives up
// everything before it joins; a cooperative one what it is not given again, and
// joins once more then.
type simClassic struct {
	*simClient
	cooperative bool
	// joined and synced are how far it is in this generation.
	joined, synced bool
	// decided is what it has to say as the leader.
	decided []kmsg.SyncGroupRequestGroupAssignment
	// leads since the metadata had this version; 0 if it does not lead, and -1
	// if it does not know.
	leads int64
}

func (k *simClassic) protocol() string {
	if k.cooperative {
		return "cooperative-sticky"
	}
	return "range"
}

func (k *simClassic) act() {
	switch {
	case !k.joined || k.synced && k.leads != 0 && k.leads != k.MetadataVersion():
		k.join()
	case !k.synced:
		kind, protocol := step.ConsumerProtocol, k.protocol()
		q := kmsg.NewPtrSyncGroupRequest()
		q.Version, q.Group, q.MemberID, q.InstanceID, q.Generation = 5, k.group, k.id, k.instance, k.epoch
		q.ProtocolType, q.Protocol, q.GroupAssignment = &kind, &protocol, k.decided
		k.ask(q)
	default:
		q := kmsg.NewPtrHeartbeatRequest()
		q.Version, q.Group, q.MemberID, q.InstanceID, q.Generation = 4, k.group, k.id, k.instance, k.epoch
		k.ask(q)
		if k.likely(60) {
			k.commit()
		}
	}
}

func (k *simClassic) join() {
	if !k.cooperative {
		k.owns = nil
	}
	k.joined, k.synced, k.leads, k.decided = false, false, 0, nil
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version, subscription.Topics, subscription.Generation = 3, k.topics, k.epoch
	for _, owned := range byTopic(k.owns) {
		if name, exists := k.Names[owned.topic]; exists {
			topic := kmsg.NewConsumerMemberMetadataOwnedPartition()
			topic.Topic, topic.Partitions = name, owned.partitions
			subscription.OwnedPartitions = append(subscription.OwnedPartitions, topic)
		}
	}
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.MemberID, q.InstanceID, q.ProtocolType = 9, k.group, k.id, k.instance, step.ConsumerProtocol
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = simSession, simRebalance
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: k.protocol(), Metadata: subscription.AppendTo(nil)}}
	k.ask(q)
}

// unanswered has the client join again, if it does not know what came of it.
func (k *simClassic) unanswered() { k.joined = k.joined && k.synced }

func (k *simClassic) leave() kmsg.Request {
	return &kmsg.LeaveGroupRequest{Version: 5, Group: k.group, Members: []kmsg.LeaveGroupRequestMember{{MemberID: k.id, InstanceID: k.instance}}}
}

func (k *simClassic) answered(_ kmsg.Request, response kmsg.Response) {
	switch r := response.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode == 0 || r.ErrorCode == kerr.MemberIDRequired.Code {
			k.id = r.MemberID
		}
		if !k.refused(r.ErrorCode) {
			k.epoch, k.joined = r.Generation, true
			if r.LeaderID == r.MemberID && r.MemberID != "" {
				k.lead(r)
			}
			k.wake(0)
		}
	case *kmsg.SyncGroupResponse:
		if !k.refused(r.ErrorCode) {
			k.receive(k.placesIn(r.MemberAssignment))
		}
	case *kmsg.HeartbeatResponse:
		if !k.refused(r.ErrorCode) {
			k.wake(2500)
		}
	}
}

func (k *simClassic) refused(errorCode int16) bool {
	switch kerr.TypedErrorForCode(errorCode) {
	case nil:
		return false
	case kerr.MemberIDRequired, kerr.RebalanceInProgress:
	case kerr.UnknownMemberID:
		k.id, k.owns, k.epoch = "", nil, -1
	case kerr.IllegalGeneration:
		k.owns, k.epoch = nil, -1
	case kerr.FencedInstanceID, kerr.InconsistentGroupProtocol:
		k.die()
		return true
	default:
		k.t.Fatalf("a classic client that does nothing wrong was told %s", grouptest.Code(errorCode))
	}
	k.joined = false
	k.wake(0)
	return true
}

// receive takes its share.
func (k *simClassic) receive(share []place) {
	k.synced = true
	lost := slices.ContainsFunc(k.owns, func(p place) bool { return !slices.Contains(share, p) })
	k.owns = share
	if lost {
		k.joined = false
		k.wake(k.draw.Int64N(1000))
		return
	}
	k.wake(2500)
}

// lead decides, unless what was decided before is to stay. Then the leader does
// not know of which topics that was, and joins once more (KIP-814).
func (k *simClassic) lead(r *kmsg.JoinGroupResponse) {
	if k.leads = -1; !r.SkipAssignment {
		k.leads = k.MetadataVersion()
		k.decide(r)
	}
}

// decide computes what the leader has everybody do: what moves is not given away
// before its owner has let go of it.
func (k *simClassic) decide(r *kmsg.JoinGroupResponse) {
	snapshot := k.snapshot(r)
	assignment := grouptest.Spread(snapshot)
	owners := snapshot.Owners()
	for i, m := range assignment.Members {
		share := kmsg.NewConsumerMemberAssignment()
		for _, given := range m.Partitions {
			t := slices.IndexFunc(snapshot.Topics, func(t assignor.Topic) bool { return t.Name == given.Topic })
			topic := kmsg.NewConsumerMemberAssignmentTopic()
			topic.Topic = given.Topic
			for _, p := range given.Partitions {
				if owner := owners[t][p]; !k.cooperative || owner == i || owner == assignor.Nobody && !claimed(snapshot, i, given.Topic, p) {
					topic.Partitions = append(topic.Partitions, p)
				}
			}
			share.Topics = append(share.Topics, topic)
		}
		k.decided = append(k.decided, kmsg.SyncGroupRequestGroupAssignment{MemberID: snapshot.Members[i].ID, MemberAssignment: share.AppendTo(nil)})
	}
}

// claimed says whether another member says that it has a partition.
func claimed(snapshot assignor.Snapshot, by int, topic string, partition int32) bool {
	for i, m := range snapshot.Members {
		for _, owned := range m.Owned {
			if i != by && owned.Topic == topic && slices.Contains(owned.Partitions, partition) {
				return true
			}
		}
	}
	return false
}

func (k *simClassic) snapshot(r *kmsg.JoinGroupResponse) assignor.Snapshot {
	snapshot := assignor.Snapshot{Group: k.group}
	wanted := map[string]bool{}
	for _, m := range r.Members {
		subscription := kmsg.NewConsumerMemberMetadata()
		if err := subscription.ReadFrom(m.ProtocolMetadata); err != nil {
			k.t.Fatal(err)
		}
		member := assignor.Member{ID: m.MemberID, Generation: subscription.Generation}
		for _, topic := range subscription.Topics {
			if _, exists := k.broker.Topics[topic]; exists {
				member.Topics, wanted[topic] = append(member.Topics, topic), true
			}
		}
		for _, owned := range subscription.OwnedPartitions {
			member.Owned = append(member.Owned, assignor.TopicPartitions{Topic: owned.Topic, Partitions: owned.Partitions})
		}
		snapshot.Members = append(snapshot.Members, member)
	}
	slices.SortFunc(snapshot.Members, func(a, b assignor.Member) int { return strings.Compare(a.ID, b.ID) })
	for _, name := range k.TopicNames() {
		if wanted[name] {
			snapshot.Topics = append(snapshot.Topics, assignor.Topic{Name: name, Partitions: k.broker.Topics[name].Partitions})
		}
	}
	return snapshot
}

func (b *broker) placesIn(encoded []byte) []place {
	if len(encoded) == 0 {
		return nil
	}
	assignment := kmsg.NewConsumerMemberAssignment()
	if err := assignment.ReadFrom(encoded); err != nil {
		panic(err)
	}
	var places []place
	for _, topic := range assignment.Topics {
		if known, exists := b.Topics[topic.Topic]; exists {
			for _, partition := range topic.Partitions {
				places = append(places, place{known.ID, partition})
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	return places
}
