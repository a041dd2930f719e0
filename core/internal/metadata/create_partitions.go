package metadata

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
)

// CreatePartitions plans further partitions of topics, each topic on its own.
func CreatePartitions(ctx context.Context, i *Image, rules Rules, asked []NewPartitions) Plan {
	var plan Plan
	budget := int32(maxPartitionsPerRequest)
	for _, a := range asked {
		record, failure := createPartitions(ctx, i, rules, a, budget)
		if failure == nil {
			i, failure = after(i, record)
		}
		if failure != nil {
			plan.Results = append(plan.Results, Refused(a.Topic, TopicID{}, failure))
			continue
		}
		budget -= int32(len(record.Partitions))
		topic, _ := i.TopicByID(record.TopicID)
		plan.Records = append(plan.Records, record)
		plan.Results = append(plan.Results, done(topic))
	}
	return plan
}

func createPartitions(ctx context.Context, i *Image, rules Rules, asked NewPartitions, budget int32) (*PartitionsAdded, *Failure) {
	topic, found := i.Topic(asked.Topic)
	if !found {
		return nil, unknownTopic(asked.Topic)
	}
	has := int32(len(topic.Partitions))
	switch {
	case asked.Count == has:
		return nil, Failf(kerr.InvalidPartitions, "topic %q already has %d partitions", topic.Name, has)
	case asked.Count < has:
		return nil, Failf(kerr.InvalidPartitions, "topic %q has %d partitions; their number cannot be lowered to %d", topic.Name, has, asked.Count)
	}
	placed, failure := placeAdded(i, rules, topic, asked, budget)
	if failure != nil {
		return nil, failure
	}
	settled, err := rules.Settle(topic.Configs)
	if err != nil {
		return nil, Failf(kerr.InvalidConfig, "%v", err)
	}
	// A topic stays with the strategy that it was created with.
	settled.Strategy = topic.Strategy
	states, failure := rules.elect(ctx, settled, placed)
	if failure != nil {
		return nil, failure
	}
	return &PartitionsAdded{TopicID: topic.ID, Partitions: states}, nil
}

func placeAdded(i *Image, rules Rules, topic *Topic, asked NewPartitions, budget int32) ([][]int32, *Failure) {
	has, factor := int32(len(topic.Partitions)), topic.ReplicationFactor()
	added := asked.Count - has
	if asked.Assignment == nil {
		if f := checkBudget(int(added), budget); f != nil {
			return nil, f
		}
		return place(topic.ID, rules.Live, has, added, factor)
	}
	if len(asked.Assignment) != int(added) {
		return nil, Failf(kerr.InvalidReplicaAssignment, "%d partitions are to be added, but %d are assigned", added, len(asked.Assignment))
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
