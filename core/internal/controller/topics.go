package controller

import (
	"context"
	"errors"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// CreateTopics creates each of the topics, or says why not, in order. With
// validateOnly it says what would come of it.
func (c *Controller) CreateTopics(ctx context.Context, topics []metadata.NewTopic, validateOnly bool) []metadata.TopicResult {
	topics = slices.Clone(topics)
	refused := func(err error) []metadata.TopicResult {
		return refuseAll(topics, err, func(t metadata.NewTopic) (string, metadata.TopicID) { return t.Name, metadata.TopicID{} })
	}
	for n := range topics {
		var err error
		if topics[n].ID, err = randomID(c.options.Random); err != nil {
			return refused(err)
		}
	}
	results, err := change(ctx, c, planTopics(validateOnly, func(i *metadata.Image) metadata.Plan {
		return metadata.CreateTopics(c.life, i, c.options.rules(i), topics)
	}))
	if err != nil {
		return refused(err)
	}
	return results
}

// DeleteTopics deletes each of the topics, or says why not, in order. One that
// is named by its name and by its id has one result for both.
func (c *Controller) DeleteTopics(ctx context.Context, topics []metadata.TopicRef) []metadata.TopicResult {
	results, err := change(ctx, c, planTopics(false, func(i *metadata.Image) metadata.Plan { return metadata.DeleteTopics(i, topics) }))
	if err != nil {
		return refuseAll(topics, err, func(t metadata.TopicRef) (string, metadata.TopicID) { return t.Name, t.ID })
	}
	return results
}

// CreatePartitions adds partitions to each of the topics, or says why not, in
// order. With validateOnly it says what would come of it.
func (c *Controller) CreatePartitions(ctx context.Context, topics []metadata.NewPartitions, validateOnly bool) []metadata.TopicResult {
	results, err := change(ctx, c, planTopics(validateOnly, func(i *metadata.Image) metadata.Plan {
		return metadata.CreatePartitions(c.life, i, c.options.rules(i), topics)
	}))
	if err != nil {
		return refuseAll(topics, err, func(t metadata.NewPartitions) (string, metadata.TopicID) { return t.Topic, metadata.TopicID{} })
	}
	return results
}

// planTopics keeps the records of a plan that is only to be validated from
// being written.
func planTopics(validateOnly bool, plan func(*metadata.Image) metadata.Plan) planner[[]metadata.TopicResult] {
	return func(i *metadata.Image) ([]metadata.Record, []metadata.TopicResult) {
		planned := plan(i)
		if validateOnly {
			return nil, planned.Results
		}
		return planned.Records, planned.Results
	}
}

// refuseAll answers each element of a request that failed as a whole.
func refuseAll[T any](asked []T, err error, name func(T) (string, metadata.TopicID)) []metadata.TopicResult {
	refused := refusalOf(err)
	results := make([]metadata.TopicResult, len(asked))
	for n, a := range asked {
		topic, id := name(a)
		results[n] = metadata.Refused(topic, id, refused)
	}
	return results
}

func refusalOf(err error) *refusal.Refusal {
	switch {
	case errors.Is(err, errNotController):
		return refusal.New(kerr.NotController, "%v", err)
	case errors.Is(err, election.ErrStalled):
		return refusal.New(kerr.KafkaStorageError, "the change is not committed: %v", err)
	case errors.Is(err, context.DeadlineExceeded):
		return refusal.New(kerr.RequestTimedOut, "the change was not committed in time; it may still be")
	case module.ClassOf(err) == module.Retriable:
		return refusal.New(kerr.RequestTimedOut, "the change was not committed: %v", err)
	default:
		return refusal.New(kerr.UnknownServerError, "the metadata log has failed: %v", err)
	}
}
