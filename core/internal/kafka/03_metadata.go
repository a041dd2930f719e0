package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// Metadata, key 3, versions 0 to 13.
//
//	v0  no topics asked for means all; from v1 on null does, and none is none
//	v4  the client may forbid that topics be created
//	v8  authorized operations; those of the cluster until v10
//	v9  flexible
//	v10 topic ids in the answer, v12 in the request
//	v13 an error for the whole
//
// A topic that is not there is created if the client and
// auto.create.topics.enable allow it, and the answer has it complete. The
// controller that clients are told of is this broker: it forwards (KIP-590).

// The operations of the access control lists, as bits. There are none yet, so
// that everybody may do all that there is.
const (
	topicOperations   = 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<10 | 1<<11
	clusterOperations = 1<<5 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12
)

// internalTopics are those that clients do not mean when they say all.
var internalTopics = []string{"__consumer_offsets", "__transaction_state", "__share_group_state"}

func topicMetadata(ctx context.Context, b *Backend, c *Caller, q *kmsg.MetadataRequest) *kmsg.MetadataResponse {
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
	response.Brokers = brokersAt(image, c.Listener.Name)
	d := describer{image: image, live: response.Brokers, operations: q.IncludeTopicAuthorizedOperations}
	if wantsAll(q) {
		for t := range image.Topics() {
			response.Topics = append(response.Topics, d.describe(t))
		}
		return response
	}
	for i := range q.Topics {
		response.Topics = append(response.Topics, d.answer(&q.Topics[i], refused))
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
	image := b.Controller.Image()
	var missing []metadata.NewTopic
	for i := range q.Topics {
		name := q.Topics[i].Topic
		if name == nil || *name == "" {
			continue
		}
		named := func(n metadata.NewTopic) bool { return n.Name == *name }
		if _, ok := image.Topic(*name); !ok && !slices.ContainsFunc(missing, named) {
			missing = append(missing, metadata.NewTopic{Name: *name, Partitions: -1, ReplicationFactor: -1})
		}
	}
	if len(missing) == 0 {
		return nil
	}
	refused := make(map[string]int16)
	for _, r := range b.Controller.CreateTopics(ctx, missing, false) {
		if r.Failure != nil && r.Failure.Code != kerr.TopicAlreadyExists.Code {
			refused[r.Name] = r.Failure.Code
		}
	}
	return refused
}

// brokersAt is the brokers that a client of the listener can reach.
func brokersAt(image *metadata.Image, listener string) []kmsg.MetadataResponseBroker {
	var out []kmsg.MetadataResponseBroker
	for _, b := range image.Brokers() {
		for _, at := range b.Listeners {
			if at.Listener != listener {
				continue
			}
			broker := kmsg.NewMetadataResponseBroker()
			broker.NodeID, broker.Host, broker.Port, broker.Rack = b.ID, at.Host, at.Port, rackOf(b)
			out = append(out, broker)
		}
	}
	return out
}

// describer describes topics of one image.
type describer struct {
	image      *metadata.Image
	live       []kmsg.MetadataResponseBroker
	operations bool
}

// answer describes a topic that was asked for, by name or by id.
func (d *describer) answer(q *kmsg.MetadataRequestTopic, refused map[string]int16) kmsg.MetadataResponseTopic {
	if q.Topic == nil {
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
	if code, ok := refused[*q.Topic]; ok {
		missing.ErrorCode = code
	}
	return missing
}

// whyMissing is the error of a topic that is not there: one that cannot be
// there has its own.
func whyMissing(name string) int16 {
	if failure := metadata.CheckTopicName(name); failure != nil {
		return failure.Code
	}
	return kerr.UnknownTopicOrPartition.Code
}

func (d *describer) describe(t *metadata.Topic) kmsg.MetadataResponseTopic {
	topic := kmsg.NewMetadataResponseTopic()
	topic.Topic, topic.TopicID = kmsg.StringPtr(t.Name), t.ID
	topic.IsInternal = slices.Contains(internalTopics, t.Name)
	if d.operations {
		topic.AuthorizedOperations = topicOperations
	}
	topic.Partitions = make([]kmsg.MetadataResponseTopicPartition, len(t.Partitions))
	for i := range t.Partitions {
		d.describePartition(int32(i), &t.Partitions[i], &topic.Partitions[i])
	}
	return topic
}

func (d *describer) describePartition(number int32, p *metadata.Partition, out *kmsg.MetadataResponseTopicPartition) {
	out.Partition = number
	out.Leader, out.LeaderEpoch = p.Record.Leader, p.Record.LeaderEpoch
	out.Replicas, out.ISR = p.Record.Replicas, p.Record.InSync
	for _, id := range p.Record.Replicas {
		if !d.isLive(id) {
			out.OfflineReplicas = append(out.OfflineReplicas, id)
		}
	}
	if out.Leader < 0 || !d.isLive(out.Leader) {
		// The epoch stays what it was: one that a client has seen never goes
		// back, also not to -1.
		out.Leader, out.ErrorCode = -1, kerr.LeaderNotAvailable.Code
	}
}

func (d *describer) isLive(id int32) bool {
	return slices.ContainsFunc(d.live, func(b kmsg.MetadataResponseBroker) bool { return b.NodeID == id })
}
