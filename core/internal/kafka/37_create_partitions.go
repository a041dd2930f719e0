package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// createPartitions serves CreatePartitions, versions 0 to 3. The count is that
// of all partitions, not of the added ones (KIP-195).
func createPartitions(ctx context.Context, b *Backend, _ *Caller, req *kmsg.CreatePartitionsRequest) *kmsg.CreatePartitionsResponse {
	ctx, cancel := withinTimeout(ctx, req.TimeoutMillis)
	defer cancel()

	unique, repeated := onceEach(req.Topics, func(t *kmsg.CreatePartitionsRequestTopic) string { return t.Topic })
	var results []metadata.TopicResult
	for _, name := range repeated {
		results = append(results, metadata.Refused(name, metadata.TopicID{}, namedTwice(name)))
	}
	var topics []metadata.NewPartitions
	for _, asked := range unique {
		topic := metadata.NewPartitions{Topic: asked.Topic, Count: asked.Count}
		for _, a := range asked.Assignment {
			topic.Assignment = append(topic.Assignment, a.Replicas)
		}
		topics = append(topics, topic)
	}
	if len(topics) > 0 {
		results = append(results, b.Controller.CreatePartitions(ctx, topics, req.ValidateOnly)...)
	}

	resp := kmsg.NewPtrCreatePartitionsResponse()
	for _, r := range results {
		t := kmsg.NewCreatePartitionsResponseTopic()
		t.Topic = r.Name
		t.ErrorCode, t.ErrorMessage = outcome(r.Failure)
		resp.Topics = append(resp.Topics, t)
	}
	return resp
}
