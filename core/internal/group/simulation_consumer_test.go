package group

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
)

// simConsumer is a client of the consumer protocol.
type simConsumer struct {
	*simClient
	// regex is what it subscribes to beside its topics.
	regex *string
	// given is the last that it was told to have.
	given []place
	// revokeAt is when it has let go of what is not given any more; it says so
	// then.
	revokeAt  int64
	reconcile bool
	// whole asks for a heartbeat that says everything, as after a lost answer.
	whole bool
}

func (k *simConsumer) act() {
	tell := k.whole || k.epoch == 0
	if k.reconcile && k.now >= k.revokeAt {
		k.owns, k.reconcile, tell = slices.Clone(k.given), false, true
	}
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.InstanceID, q.MemberEpoch = 1, k.group, k.id, k.instance, k.epoch
	if k.whole || k.epoch == 0 {
		q.RebalanceTimeoutMillis, q.SubscribedTopicNames, k.whole = simRebalance, k.topics, false
		q.SubscribedTopicRegex = k.regex
	}
	if tell {
		q.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		for _, owned := range byTopic(k.owns) {
			q.Topics = append(q.Topics, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: owned.topic, Partitions: owned.partitions})
		}
	}
	k.ask(q)
	if k.likely(60) {
		k.commit()
	}
}

func (k *simConsumer) unanswered() { k.whole = true }

func (k *simConsumer) leave() kmsg.Request {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.InstanceID, q.MemberEpoch = 1, k.group, k.id, k.instance, -1
	if k.instance != nil && k.likely(60) {
		q.MemberEpoch = -2
	}
	return q
}

func (k *simConsumer) answered(_ kmsg.Request, response kmsg.Response) {
	r := response.(*kmsg.ConsumerGroupHeartbeatResponse)
	switch kerr.TypedErrorForCode(r.ErrorCode) {
	case nil:
		k.epoch = r.MemberEpoch
		k.wake(2500)
		if r.Assignment != nil {
			k.assigned(r.Assignment)
		}
	case kerr.UnknownMemberID, kerr.FencedMemberEpoch:
		k.epoch, k.owns, k.given, k.reconcile = 0, nil, nil, false
		k.wake(0)
	case kerr.UnreleasedInstanceID:
		// Another process has the instance id. When it is quiet nobody ends that.
		if k.quiet {
			k.die()
			return
		}
		k.whole = true
		k.wake(1000)
	case kerr.CoordinatorLoadInProgress:
		k.whole = true
		k.wake(1000)
	case kerr.FencedInstanceID:
		k.die()
	case kerr.GroupIDNotFound:
		// The group is a classic one that may not change, or is no more.
		k.epoch, k.owns, k.given, k.reconcile = 0, nil, nil, false
		if k.Config.ConsumerMigrationPolicy != "bidirectional" {
			k.die()
			return
		}
		k.wake(1000)
	default:
		k.t.Fatalf("a consumer that does nothing wrong was told %s%s", grouptest.Code(r.ErrorCode), message(r.ErrorMessage))
	}
}

// assigned uses at once what is new, and gives up the rest after a while.
func (k *simConsumer) assigned(a *kmsg.ConsumerGroupHeartbeatResponseAssignment) {
	k.given = placesOf(a)
	for _, p := range k.given {
		if !slices.Contains(k.owns, p) {
			k.owns = append(k.owns, p)
		}
	}
	slices.SortFunc(k.owns, comparePlaces)
	k.reconcile = true
	took := k.draw.Int64N(1500)
	if !k.quiet && k.likely(10) {
		took += 2 * simRebalance
	}
	k.revokeAt = k.now + took
	k.wake(min(took, 2500))
}

func placesOf(a *kmsg.ConsumerGroupHeartbeatResponseAssignment) []place {
	var places []place
	for _, topic := range a.Topics {
		for _, partition := range topic.Partitions {
			places = append(places, place{topic.TopicID, partition})
		}
	}
	slices.SortFunc(places, comparePlaces)
	return places
}

// topicPlaces are places of one topic.
type topicPlaces struct {
	topic      [16]byte
	partitions []int32
}

func byTopic(places []place) []topicPlaces {
	var topics []topicPlaces
	for _, p := range places {
		if n := len(topics); n == 0 || topics[n-1].topic != p.topic {
			topics = append(topics, topicPlaces{topic: p.topic})
		}
		last := &topics[len(topics)-1]
		last.partitions = append(last.partitions, p.partition)
	}
	return topics
}
