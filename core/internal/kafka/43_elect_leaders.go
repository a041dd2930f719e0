package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// electLeadersAPI is ElectLeaders. Version 0 elects preferred leaders only,
// version 1 has the type of election (KIP-460) and an error for the whole,
// version 2 is flexible.
//
// With one broker there is never another leader to be elected: what is answered
// is where each partition stands. As in Kafka, one that needs no election is
// left out when all were asked for, and a request for none is granted whatever
// else it says.
func electLeadersAPI() *api {
	return decoded(api{key: 43, name: "ElectLeaders", min: 0, max: 2, flexibleFrom: 2}, electLeaders,
		`type:int8@1+ topics:[name:string partitions:[int32]]? timeout:int32`)
}

// The types of election.
const (
	preferredElection int8 = 0
	uncleanElection   int8 = 1
)

func electLeaders(_ context.Context, b *Backend, _ *Caller, q *kmsg.ElectLeadersRequest) *kmsg.ElectLeadersResponse {
	response := kmsg.NewPtrElectLeadersResponse()
	if q.Topics != nil && len(q.Topics) == 0 {
		return response
	}
	kind := q.ElectionType
	if q.Version < 1 {
		kind = preferredElection
	}
	var whole *refusal.Refusal
	if kind != preferredElection && kind != uncleanElection {
		whole = refusal.New(kerr.InvalidRequest, "election type %d is unknown; 0 elects preferred leaders and 1 unclean ones", kind)
		response.ErrorCode = whole.Code()
	}
	image := b.Controller.Image()
	if q.Topics == nil && whole == nil {
		response.Topics = allElections(image, kind)
	}
	for _, t := range q.Topics {
		topic := kmsg.NewElectLeadersResponseTopic()
		topic.Topic = t.Topic
		for _, number := range t.Partitions {
			refused := whole
			if refused == nil {
				refused = electLeader(image, kind, t.Topic, number)
			}
			topic.Partitions = append(topic.Partitions, electedPartition(number, refused))
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// allElections has every topic, with the partitions that would need an election.
func allElections(image *metadata.Image, kind int8) []kmsg.ElectLeadersResponseTopic {
	var topics []kmsg.ElectLeadersResponseTopic
	for t := range image.Topics() {
		topic := kmsg.NewElectLeadersResponseTopic()
		topic.Topic = t.Name
		for number := range t.Partitions {
			if f := electLeader(image, kind, t.Name, int32(number)); f.Code() != kerr.ElectionNotNeeded.Code {
				topic.Partitions = append(topic.Partitions, electedPartition(int32(number), f))
			}
		}
		topics = append(topics, topic)
	}
	return topics
}

// electLeader says why no leader is elected.
func electLeader(image *metadata.Image, kind int8, topic string, number int32) *refusal.Refusal {
	t, ok := image.Topic(topic)
	switch {
	case !ok:
		return refusal.New(kerr.UnknownTopicOrPartition, "there is no topic %q", topic)
	case number < 0 || int(number) >= len(t.Partitions):
		return refusal.New(kerr.UnknownTopicOrPartition, "topic %q has no partition %d", topic, number)
	}
	r := t.Partitions[number].Record
	switch {
	case kind == uncleanElection && r.Leader < 0:
		return refusal.New(kerr.EligibleLeadersNotAvailable, "no replica of partition %d of topic %q can lead", number, topic)
	case kind == preferredElection && r.Leader != r.Replicas[0]:
		return refusal.New(kerr.PreferredLeaderNotAvailable, "replica %d, the preferred one of partition %d of topic %q, cannot lead", r.Replicas[0], number, topic)
	}
	return refusal.New(kerr.ElectionNotNeeded, "replica %d leads partition %d of topic %q already", r.Leader, number, topic)
}

func electedPartition(number int32, refused *refusal.Refusal) kmsg.ElectLeadersResponseTopicPartition {
	p := kmsg.NewElectLeadersResponseTopicPartition()
	p.Partition = number
	p.ErrorCode, p.ErrorMessage = refused.Outcome()
	return p
}
