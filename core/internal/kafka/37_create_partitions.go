package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// createPartitionsAPI is CreatePartitions. The count is that of all partitions,
// not of the added ones (KIP-195). An assignment of none is not the same as no
// assignment, by which replicas are placed.
func createPartitionsAPI() *api {
	return decoded(api{key: 37, name: "CreatePartitions", min: 0, max: 3, flexibleFrom: 2}, createPartitions,
		`topics:[name:string count:int32 assignment:[replicas:[int32]]?] timeout:int32 validate_only:bool`)
}

func createPartitions(ctx context.Context, b *Backend, _ *Caller, q *kmsg.CreatePartitionsRequest) *kmsg.CreatePartitionsResponse {
	ctx, cancel := withinTimeout(ctx, q.TimeoutMillis)
	defer cancel()

	unique, results := onceEach(q.Topics, func(t *kmsg.CreatePartitionsRequestTopic) metadata.TopicRef { return metadata.TopicRef{Name: t.Topic} })
	var topics []metadata.NewPartitions
	for _, asked := range unique {
		topic := metadata.NewPartitions{Topic: asked.Topic, Count: asked.Count}
		if asked.Assignment != nil {
			topic.Assignment = make([][]int32, 0, len(asked.Assignment))
		}
		for _, a := range asked.Assignment {
			topic.Assignment = append(topic.Assignment, a.Replicas)
		}
		topics = append(topics, topic)
	}
	if len(topics) > 0 {
		results = append(results, b.Controller.CreatePartitions(ctx, topics, q.ValidateOnly)...)
	}

	response := kmsg.NewPtrCreatePartitionsResponse()
	for _, r := range results {
		t := kmsg.NewCreatePartitionsResponseTopic()
		t.Topic = r.Name
		t.ErrorCode, t.ErrorMessage = r.Refusal.Outcome()
		response.Topics = append(response.Topics, t)
	}
	return response
}
