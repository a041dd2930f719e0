package differential

import "github.com/twmb/franz-go/pkg/kmsg"

func (d *draw) createTopics(q kmsg.Request) {
	d.fillChanging(q)
	c := q.(*kmsg.CreateTopicsRequest)
	c.ValidateOnly = d.chance(5)
	for n := range c.Topics {
		t := &c.Topics[n]
		t.Configs = nil
		if d.chance(2) {
			t.ReplicaAssignment = nil
		} else if d.chance(2) {
			t.NumPartitions, t.ReplicationFactor = -1, -1
		}
		for range pick(d, 0, 0, 1, 2) {
			name := pick(d, topicConfigs...)
			t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: name, Value: d.configValue(name)})
		}
	}
}

// createPartitions has no assignment rather than an empty one, which Kafka
// refuses.
func (d *draw) createPartitions(q kmsg.Request) {
	d.fillChanging(q)
	for n := range q.(*kmsg.CreatePartitionsRequest).Topics {
		if t := &q.(*kmsg.CreatePartitionsRequest).Topics[n]; len(t.Assignment) == 0 {
			t.Assignment = nil
		}
	}
}

func (d *draw) deleteTopics(q kmsg.Request) {
	d.fillChanging(q)
	byID := d.chance(2)
	for n := range q.(*kmsg.DeleteTopicsRequest).Topics {
		t := &q.(*kmsg.DeleteTopicsRequest).Topics[n]
		if byID {
			t.Topic, t.TopicID = nil, topicPlaceholder(d.changing())
		} else {
			t.Topic, t.TopicID = kmsg.StringPtr(d.changing()), [16]byte{}
		}
	}
}
