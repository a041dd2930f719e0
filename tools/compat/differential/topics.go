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

// deleteTopics names topics by their names, by their ids, and now and then in
// both ways or in none.
func (d *draw) deleteTopics(q kmsg.Request) {
	d.fillChanging(q)
	for n := range q.(*kmsg.DeleteTopicsRequest).Topics {
		t := &q.(*kmsg.DeleteTopicsRequest).Topics[n]
		t.Topic, t.TopicID = nil, [16]byte{}
		way := d.IntN(20)
		if way < 10 || way == 18 {
			t.Topic = kmsg.StringPtr(d.changing())
		}
		if way >= 10 && way < 19 {
			t.TopicID = topicPlaceholder(d.changing())
		}
		if way == 18 {
			t.Topic = kmsg.StringPtr("nowhere") // in the answer it is told from others
		}
	}
}
