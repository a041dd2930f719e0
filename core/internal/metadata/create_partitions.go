package metadata

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// CreatePartitions plans further partitions of topics, each topic on its own.
func CreatePartitions(ctx context.Context, i *Image, rules Rules, asked []NewPartitions) Plan {
	var plan Plan
	budget := int32(maxPartitionsPerRequest)
	for _, a := range asked {
		record, refused := createPartitions(ctx, i, rules, a, budget)
		if refused == nil {
			i, refused = after(i, record)
		}
		if refused != nil {
			plan.Results = append(plan.Results, Refused(a.Topic, TopicID{}, refused))
			continue
		}
		budget -= int32(len(record.Partitions))
		topic, _ := i.TopicByID(record.TopicID)
		plan.Records = append(plan.Records, record)
		plan.Results = append(plan.Results, done(topic))
	}
	return plan
}

func createPartitions(ctx context.Context, i *Image, rules Rules, asked NewPartitions, budget int32) (*PartitionsAdded, *refusal.Refusal) {
	topic, found := i.Topic(asked.Topic)
	if !found {
		return nil, unknownTopic(asked.Topic)
	}
	has := int32(len(topic.Partitions))
	switch {
	case topic.Name == GroupsTopic:
		// Kafka lets it be done, and forgets all groups when it is next started.
		return nil, refusal.New(kerr.InvalidPartitions,
			"topic %q keeps its %d partitions: the one that has a group is found by their number, so that with another all groups and offsets would be lost", topic.Name, has)
	case asked.Count == has:
		return nil, refusal.New(kerr.InvalidPartitions, "topic %q already has %d partitions", topic.Name, has)
	case asked.Count < has:
		return nil, refusal.New(kerr.InvalidPartitions, "topic %q has %d partitions; their number cannot be lowered to %d", topic.Name, has, asked.Count)
	}
	placed, refused := placeAdded(i, rules, topic, asked, budget)
	if refused != nil {
		return nil, refused
	}
	settled, err := rules.Settle(topic.Configs)
	if err != nil {
		return nil, refusal.New(kerr.InvalidConfig, "%v", err)
	}
	// A topic stays with the strategy that it was created with.
	settled.Strategy = topic.Strategy
	states, refused := rules.elect(ctx, settled, placed)
	if refused != nil {
		return nil, refused
	}
	return &PartitionsAdded{TopicID: topic.ID, Partitions: states}, nil
}

func placeAdded(i *Image, rules Rules, topic *Topic, asked NewPartitions, budget int32) ([][]int32, *refusal.Refusal) {
	has, factor := int32(len(topic.Partitions)), topic.ReplicationFactor()
	added := asked.Count - has
	if asked.Assignment == nil {
		if f := checkBudget(int(added), budget); f != nil {
			return nil, f
		}
		return place(topic.ID, rules.Live, has, added, factor)
	}
	if len(asked.Assignment) != int(added) {
		return nil, refusal.New(kerr.InvalidReplicaAssignment, "%d partitions are to be added, but %d are assigned", added, len(asked.Assignment))
	}
	if f := checkBudget(int(added), budget); f != nil {
		return nil, f
	}
	for n, replicas := range asked.Assignment {
		if f := checkReplicas(has+int32(n), replicas, int(factor), i.brokers); f != nil {
			return nil, f
		}
	}
	return asked.Assignment, nil
}
