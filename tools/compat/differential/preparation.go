package differential

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// preparation makes the standing topics.
func preparation() []step {
	create := versioned(19, 7).(*kmsg.CreateTopicsRequest)
	create.TimeoutMillis = 30_000
	for _, one := range []struct {
		name       string
		partitions int32
		configs    []string
	}{
		{name: "plain", partitions: 3},
		{name: "compacted", partitions: 2, configs: []string{"cleanup.policy", "compact"}},
		{name: "stamped", partitions: 2, configs: []string{"message.timestamp.type", "LogAppendTime"}},
		{name: "small", partitions: 2, configs: []string{"max.message.bytes", "2000"}},
		{name: "zipped", partitions: 2, configs: []string{"compression.type", "gzip"}},
		{name: "guarded", partitions: 2, configs: []string{"min.insync.replicas", "2"}},
	} {
		t := kmsg.NewCreateTopicsRequestTopic()
		t.Topic, t.NumPartitions, t.ReplicationFactor = one.name, one.partitions, 1
		if one.configs != nil {
			t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: one.configs[0], Value: &one.configs[1]})
		}
		create.Topics = append(create.Topics, t)
	}
	return []step{{requests: []request{{Request: create}}}}
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
