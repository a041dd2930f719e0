package metadata

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// CreateTopics plans topics, each on its own: one that is refused does not
// keep the others from being created. Of two with one name the first wins.
func CreateTopics(ctx context.Context, i *Image, rules Rules, topics []NewTopic) Plan {
	var plan Plan
	budget := int32(maxPartitionsPerRequest)
	for _, asked := range topics {
		record, refused := createTopic(ctx, i, rules, asked, budget)
		if refused == nil {
			i, refused = after(i, record)
		}
		if refused != nil {
			plan.Results = append(plan.Results, Refused(asked.Name, TopicID{}, refused))
			continue
		}
		budget -= int32(len(record.Partitions))
		plan.Records = append(plan.Records, record)
		topic, _ := i.TopicByID(record.TopicID)
		plan.Results = append(plan.Results, done(topic))
	}
	return plan
}

func createTopic(ctx context.Context, i *Image, rules Rules, asked NewTopic, budget int32) (*TopicCreated, *refusal.Refusal) {
	if asked.Name == LogTopic {
		return nil, refusal.New(kerr.InvalidRequest, "topic %q cannot be created: its name is that of the metadata log", asked.Name)
	}
	if f := CheckTopicName(asked.Name); f != nil {
		return nil, f
	}
	if f := i.checkNameIsFree(asked.Name); f != nil {
		return nil, f
	}
	if len(asked.NullConfigs) > 0 {
		return nil, refusal.New(kerr.InvalidConfig, "%s: null is not a value; leave the config out to have the default", strings.Join(asked.NullConfigs, ", "))
	}
	settled, err := rules.Settle(asked.Configs)
	if err != nil {
		return nil, refusal.New(kerr.InvalidConfig, "%v", err)
	}
	placed, refused := placeTopic(i, rules, asked, budget)
	if refused != nil {
		return nil, refused
	}
	states, refused := rules.elect(ctx, settled, placed)
	if refused != nil {
		return nil, refused
	}
	return &TopicCreated{TopicID: asked.ID, Name: asked.Name, Strategy: settled.Strategy, Configs: asked.Configs, Partitions: states}, nil
}

func placeTopic(i *Image, rules Rules, asked NewTopic, budget int32) ([][]int32, *refusal.Refusal) {
	if asked.Assignment != nil {
		return placeByHand(i, asked, budget)
	}
	count, factor := asked.Partitions, asked.ReplicationFactor
	switch {
	case factor == 0 || factor < -1:
		return nil, refusal.New(kerr.InvalidReplicationFactor, "replication factor %d was asked for; it must be 1 or more, or -1 for the default", factor)
	case count == 0 || count < -1:
		return nil, refusal.New(kerr.InvalidPartitions, "%d partitions were asked for; it must be 1 or more, or -1 for the default", count)
	}
	if count == -1 {
		count = rules.DefaultPartitions
	}
	if factor == -1 {
		factor = rules.DefaultReplicationFactor
	}
	if f := checkBudget(int(count), budget); f != nil {
		return nil, f
	}
	return place(asked.ID, rules.Live, 0, count, factor)
}

func placeByHand(i *Image, asked NewTopic, budget int32) ([][]int32, *refusal.Refusal) {
	switch {
	case asked.Partitions != -1:
		return nil, refusal.New(kerr.InvalidRequest, "the partitions are assigned by hand, so their number must be -1, not %d", asked.Partitions)
	case asked.ReplicationFactor != -1:
		return nil, refusal.New(kerr.InvalidRequest, "the partitions are assigned by hand, so the replication factor must be -1, not %d", asked.ReplicationFactor)
	case len(asked.Assignment) == 0:
		return nil, refusal.New(kerr.InvalidReplicaAssignment, "the assignment has no partition")
	}
	if f := checkBudget(len(asked.Assignment), budget); f != nil {
		return nil, f
	}
	byPartition := slices.SortedFunc(slices.Values(asked.Assignment), func(a, b Assigned) int { return cmp.Compare(a.Partition, b.Partition) })
	placed := make([][]int32, len(byPartition))
	for n, a := range byPartition {
		if a.Partition != int32(n) {
			return nil, refusal.New(kerr.InvalidReplicaAssignment, "the assigned partitions must be 0 to %d, each once; %d is missing", len(placed)-1, n)
		}
		if f := checkReplicas(a.Partition, a.Replicas, len(byPartition[0].Replicas), i.brokers); f != nil {
			return nil, f
		}
		placed[n] = a.Replicas
	}
	return placed, nil
}
