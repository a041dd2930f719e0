package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// metadataAPI is Metadata.
//
//	v0  no topics asked for means all; from v1 on null does, and none is none
//	v4  the client may forbid that topics be created
//	v8  authorized operations; those of the cluster until v10
//	v9  flexible
//	v10 topic ids in the answer
//	v12 topic ids in the request, in place of names: if one topic has an id, all
//	    are looked for by id, and those without are left out. Versions 10 and 11
//	    have the field, and are refused as a whole if it is set
//	v13 an error for the whole
//
// A topic that is not there is created if the client and
// auto.create.topics.enable allow it, and the answer has it complete. That of
// groups gets the settings that it needs, as on the first use of a group; the
// other internal topics wait for their coordinators. The controller that clients
// are told of is this broker: it forwards (KIP-590).
func metadataAPI() *api {
	return decoded(api{key: 3, name: "Metadata", min: 0, max: 13, flexibleFrom: 9}, topicMetadata,
		`topics:[id:uuid@10+ name:string?10+]?1+ auto_create:bool@4+
		cluster_operations:bool@8-10 topic_operations:bool@8+`)
}

func topicMetadata(ctx context.Context, b *Backend, c *Caller, q *kmsg.MetadataRequest) *kmsg.MetadataResponse {
	if !chooseTopics(q) {
		return refusedMetadata(q)
	}
	refused := b.createMissing(ctx, q)
	image := b.Controller.Image()
	response := kmsg.NewPtrMetadataResponse()
	response.ControllerID = b.Config.NodeID
	if id := image.ClusterID(); id != "" {
		response.ClusterID = kmsg.StringPtr(id)
	}
	if q.IncludeClusterAuthorizedOperations {
		response.AuthorizedOperations = clusterOperations
	}
	for broker, at := range brokersAt(image, c.Listener.Name) {
		b := kmsg.NewMetadataResponseBroker()
		b.NodeID, b.Host, b.Port, b.Rack = broker.ID, at.Host, at.Port, rackOf(broker)
		response.Brokers = append(response.Brokers, b)
	}
	d := topicDescriber{
		describer: b.describer(image, c), operations: q.IncludeTopicAuthorizedOperations, refused: refused,
	}
	if wantsAll(q) {
		for t := range image.Topics() {
			response.Topics = append(response.Topics, d.describe(t))
		}
		return response
	}
	for i := range q.Topics {
		response.Topics = append(response.Topics, d.answer(&q.Topics[i]))
	}
	return response
}

// idsAskedSince is the version from which topics are asked for by their ids.
const idsAskedSince = 12

// chooseTopics leaves in a request the topics that are answered, each once. It
// reports false if the request cannot be answered.
func chooseTopics(q *kmsg.MetadataRequest) bool {
	hasID := func(t kmsg.MetadataRequestTopic) bool { return t.TopicID != metadata.TopicID{} }
	unnamed := func(t kmsg.MetadataRequestTopic) bool { return t.Topic == nil }
	byID := slices.ContainsFunc(q.Topics, hasID)
	if slices.ContainsFunc(q.Topics, unnamed) && !byID || byID && q.Version < idsAskedSince {
		return false
	}
	seen := make(map[metadata.TopicRef]bool, len(q.Topics))
	q.Topics = slices.DeleteFunc(q.Topics, func(t kmsg.MetadataRequestTopic) bool {
		if byID && !hasID(t) {
			return true
		}
		ref := metadata.TopicRef{ID: t.TopicID}
		if !byID {
			ref.Name = *t.Topic
		}
		again := seen[ref]
		seen[ref] = true
		return again
	})
	return true
}

// refusedMetadata has the error at every topic too, since version 13 is the
// first with one for the whole.
func refusedMetadata(q *kmsg.MetadataRequest) *kmsg.MetadataResponse {
	response := kmsg.NewPtrMetadataResponse()
	response.ControllerID, response.ErrorCode = -1, kerr.InvalidRequest.Code
	for _, asked := range q.Topics {
		t := kmsg.NewMetadataResponseTopic()
		t.Topic, t.TopicID, t.ErrorCode = asked.Topic, asked.TopicID, kerr.InvalidRequest.Code
		if t.Topic == nil {
			t.Topic = kmsg.StringPtr("")
		}
		response.Topics = append(response.Topics, t)
	}
	return response
}

func wantsAll(q *kmsg.MetadataRequest) bool {
	return q.Topics == nil || q.Version == 0 && len(q.Topics) == 0
}

// createMissing creates the topics that are named and not there. Two clients
// may want the same one: whoever comes second finds it there. It returns why
// topics could not be created.
func (b *Backend) createMissing(ctx context.Context, q *kmsg.MetadataRequest) map[string]int16 {
	allowed := q.Version < 4 || q.AllowAutoTopicCreation
	if !allowed || !b.Config.AutoCreateTopics {
		return nil
	}
	refused := make(map[string]int16)
	var topics []metadata.NewTopic
	for _, name := range missingTopics(b.Controller.Image(), q) {
		switch {
		case name == metadata.GroupsTopic:
			if why := b.Groups.Create(ctx); why != nil {
				refused[name] = kerr.UnknownTopicOrPartition.Code // Create has logged why
			}
		case name != metadata.LogTopic && !metadata.IsInternal(name):
			topics = append(topics, metadata.NewTopic{Name: name, Partitions: -1, ReplicationFactor: -1})
		}
	}
	if len(topics) == 0 {
		return refused
	}
	for _, r := range b.Controller.CreateTopics(ctx, topics, false) {
		if r.Refusal != nil && r.Refusal.Code() != kerr.TopicAlreadyExists.Code {
			refused[r.Name] = r.Refusal.Code()
		}
	}
	return refused
}

// missingTopics are the names that are asked for and that no topic has.
func missingTopics(image *metadata.Image, q *kmsg.MetadataRequest) (names []string) {
	for _, asked := range q.Topics {
		if asked.Topic == nil || *asked.Topic == "" || asked.TopicID != (metadata.TopicID{}) {
			continue
		}
		if _, found := image.Topic(*asked.Topic); !found {
			names = append(names, *asked.Topic)
		}
	}
	return names
}

// topicDescriber describes whole topics.
type topicDescriber struct {
	describer
	operations bool
	// refused are the codes of topics that could not be created, by name.
	refused map[string]int16
}

// answer describes a topic that was asked for, by its id or by its name. The id
// goes first.
func (d *topicDescriber) answer(q *kmsg.MetadataRequestTopic) kmsg.MetadataResponseTopic {
	if q.TopicID != (metadata.TopicID{}) {
		if t, ok := d.image.TopicByID(q.TopicID); ok {
			return d.describe(t)
		}
		missing := kmsg.NewMetadataResponseTopic()
		missing.TopicID, missing.ErrorCode = q.TopicID, kerr.UnknownTopicID.Code
		return missing
	}
	if t, ok := d.image.Topic(*q.Topic); ok {
		return d.describe(t)
	}
	missing := kmsg.NewMetadataResponseTopic()
	missing.Topic, missing.ErrorCode = q.Topic, whyMissing(*q.Topic)
	missing.IsInternal = metadata.IsInternal(*q.Topic)
	if code, ok := d.refused[*q.Topic]; ok {
		missing.ErrorCode = code
	}
	return missing
}

func (d *topicDescriber) describe(t *metadata.Topic) kmsg.MetadataResponseTopic {
	topic := kmsg.NewMetadataResponseTopic()
	topic.Topic, topic.TopicID = kmsg.StringPtr(t.Name), t.ID
	topic.IsInternal = metadata.IsInternal(t.Name)
	if d.operations {
		topic.AuthorizedOperations = topicOperations
	}
	topic.Partitions = make([]kmsg.MetadataResponseTopicPartition, len(t.Partitions))
	for i := range t.Partitions {
		d.describePartition(t, int32(i), &topic.Partitions[i])
	}
	return topic
}
