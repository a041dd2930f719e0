package differential

import (
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// preparation makes the standing topics and the kept groups.
func preparation() []step { return append(standingTopics(), keptOffsets()...) }

func standingTopics() []step {
	create := versioned(19, 7).(*kmsg.CreateTopicsRequest)
	create.TimeoutMillis = 30_000
	for _, one := range []struct {
		name       string
		partitions int32
		configs    []string
	}{
		{name: "plain", partitions: 3},
		{name: playedTopic, partitions: mostMembers},
		{name: "compacted", partitions: 2, configs: []string{"cleanup.policy", "compact"}},
		{name: "stamped", partitions: 2, configs: []string{"message.timestamp.type", "LogAppendTime"}},
		{name: "small", partitions: 2, configs: []string{"max.message.bytes", "2000"}},
		{name: "zipped", partitions: 2, configs: []string{"compression.type", "gzip"}},
		{name: "packed", partitions: 2, configs: []string{"compression.type", "zstd", "message.timestamp.type", "LogAppendTime"}},
		{name: "recent", partitions: 2, configs: []string{"compression.type", "uncompressed", "message.timestamp.before.max.ms", "3600000"}},
		{name: "guarded", partitions: 2, configs: []string{"min.insync.replicas", "2"}},
	} {
		t := kmsg.NewCreateTopicsRequestTopic()
		t.Topic, t.NumPartitions, t.ReplicationFactor = one.name, one.partitions, 1
		for pair := range slices.Chunk(one.configs, 2) {
			t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: pair[0], Value: &pair[1]})
		}
		create.Topics = append(create.Topics, t)
	}
	return []step{{requests: []request{{Request: create}}}}
}

func keptOffsets() (steps []step) {
	for _, group := range keptGroups {
		commit := versioned(8, 8).(*kmsg.OffsetCommitRequest)
		commit.Group, commit.Generation = group, -1
		topic := kmsg.NewOffsetCommitRequestTopic()
		topic.Topic, topic.Partitions = keptTopic, []kmsg.OffsetCommitRequestTopicPartition{kmsg.NewOffsetCommitRequestTopicPartition()}
		commit.Topics = append(commit.Topics, topic)
		steps = append(steps, step{requests: []request{{Request: commit}}})
	}
	return steps
}

// takeProducers takes the ids that idempotent producers have. A broker that has
// just started may not have any to give yet.
func (s *side) takeProducers() error {
	init := versioned(22, 4).(*kmsg.InitProducerIDRequest)
	init.TransactionTimeoutMillis, init.ProducerID, init.ProducerEpoch = 60_000, -1, -1
	deadline := time.Now().Add(answerTimeout)
	for len(s.ids.producers) < producers {
		answer, err := s.control(init)
		if err != nil {
			return err
		}
		if code := answer.(*kmsg.InitProducerIDResponse).ErrorCode; code != 0 && time.Now().After(deadline) {
			return fmt.Errorf("InitProducerId: error code %d", code)
		}
	}
	return nil
}

// groupSettings have nothing happen a while after a request.
var groupSettings = []string{"group.initial.rebalance.delay.ms=0", "group.consumer.assignment.interval.ms=0"}

// loadGroups returns when the coordinators of all groups answer. The topic that
// they need is created when the first is looked for.
func (s *side) loadGroups() error {
	find, fetch := versioned(10, 4).(*kmsg.FindCoordinatorRequest), versioned(9, 8).(*kmsg.OffsetFetchRequest)
	find.CoordinatorKeys = []string{"a group"}
	// As many as it takes to have one in each partition of the topic.
	for n := range 1000 {
		g := kmsg.NewOffsetFetchRequestGroup()
		g.Group = fmt.Sprint("group ", n)
		fetch.Groups = append(fetch.Groups, g)
	}
	deadline := time.Now().Add(2 * answerTimeout)
	for code := int16(1); code != 0; {
		answer, err := s.control(find)
		if err != nil {
			return err
		}
		if code = answer.(*kmsg.FindCoordinatorResponse).Coordinators[0].ErrorCode; code == 0 {
			if answer, err = s.control(fetch); err != nil {
				return err
			}
			for _, g := range answer.(*kmsg.OffsetFetchResponse).Groups {
				code = max(code, g.ErrorCode)
			}
		}
		if code != 0 && time.Now().After(deadline) {
			return fmt.Errorf("the coordinators of groups are not there: error code %d", code)
		}
	}
	return nil
}
