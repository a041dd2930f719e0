package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// createTopicsAPI is CreateTopics.
//
//	v4 partitions and replication factor may be -1 for the broker's defaults (KIP-464)
//	v5 flexible; the effective configs are answered (KIP-525), as they were
//	   written where they were set
//	v7 the topic's id
//
// The answer comes when this broker itself serves the topics.
func createTopicsAPI() *api {
	return decoded(api{key: 19, name: "CreateTopics", min: 2, max: 7, flexibleFrom: 5}, createTopics,
		`topics:[name:string partitions:int32 replication_factor:int16
			assignment:[partition:int32 replicas:[int32]]
			configs:[name:string value:string?]]
		timeout:int32 validate_only:bool@1+`)
}

func createTopics(ctx context.Context, b *Backend, _ *Caller, q *kmsg.CreateTopicsRequest) *kmsg.CreateTopicsResponse {
	ctx, cancel := withinTimeout(ctx, q.TimeoutMillis)
	defer cancel()

	unique, results := onceEach(q.Topics, func(t *kmsg.CreateTopicsRequestTopic) metadata.TopicRef { return metadata.TopicRef{Name: t.Topic} })
	var topics []metadata.NewTopic
	for _, asked := range unique {
		topics = append(topics, newTopic(asked))
	}
	if len(topics) > 0 {
		results = append(results, b.Controller.CreateTopics(ctx, topics, q.ValidateOnly)...)
	}

	response, current := kmsg.NewPtrCreateTopicsResponse(), b.current()
	for _, r := range results {
		response.Topics = append(response.Topics, createdTopic(current, r, q.ValidateOnly))
	}
	return response
}

func newTopic(asked *kmsg.CreateTopicsRequestTopic) metadata.NewTopic {
	topic := metadata.NewTopic{Name: asked.Topic, Partitions: asked.NumPartitions, ReplicationFactor: asked.ReplicationFactor}
	for _, a := range asked.ReplicaAssignment {
		topic.Assignment = append(topic.Assignment, metadata.Assigned{Partition: a.Partition, Replicas: a.Replicas})
	}
	for _, c := range asked.Configs {
		if c.Value == nil {
			topic.NullConfigs = append(topic.NullConfigs, c.Name)
			continue
		}
		if topic.Configs == nil {
			topic.Configs = make(map[string]string, len(asked.Configs))
		}
		topic.Configs[c.Name] = *c.Value
	}
	return topic
}

func createdTopic(broker *config.Broker, r metadata.TopicResult, validateOnly bool) kmsg.CreateTopicsResponseTopic {
	t := kmsg.NewCreateTopicsResponseTopic()
	t.Topic = r.Name
	t.ErrorCode, t.ErrorMessage = r.Refusal.Outcome()
	t.NumPartitions, t.ReplicationFactor = r.Partitions, r.ReplicationFactor
	t.Configs = []kmsg.CreateTopicsResponseTopicConfig{}
	if r.Refusal != nil {
		return t
	}
	if !validateOnly {
		t.TopicID = r.ID
	}
	for _, e := range config.DescribeTopic(broker, r.Configs) {
		c := kmsg.NewCreateTopicsResponseTopicConfig()
		c.Name, c.Value, c.Source = e.Definition.Name, shownValue(e), e.Source
		if e.Source != config.SourceDefault && c.Value != nil {
			c.Value = &e.Written
		}
		c.ReadOnly, c.IsSensitive = e.Definition.ReadOnly, e.Definition.Sensitive
		t.Configs = append(t.Configs, c)
	}
	return t
}
