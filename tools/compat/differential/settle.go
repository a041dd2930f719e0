package differential

import (
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// settleTimeout is how long both have to show the same topics and configs
// after a change: Kafka acknowledges one before its readers see it.
const settleTimeout = 20 * time.Second

// settle returns once both show the same. What is left different when the time
// is over is taken for different from then on, and found by the requests that
// follow.
func (c *comparison) settle() error {
	deadline := time.Now().Add(settleTimeout)
	for {
		theirs, err := c.theirs.state()
		if err != nil {
			return err
		}
		ours, err := c.ours.state()
		if err != nil {
			return err
		}
		var left []string
		for _, one := range differing(theirs, ours) {
			left = append(left, one.path)
		}
		if slices.Equal(left, c.unsettled) || len(left) == 0 || time.Now().After(deadline) {
			c.unsettled = left
			return nil
		}
	}
}

// setByKafka is set for the cluster by Kafka itself; see differences.txt.
const setByKafka = "min.insync.replicas"

// state is all topics with their partitions and offsets, and what is set on
// them and on the broker.
func (s *side) state() (fields, error) {
	state := fields{}
	metadata := versioned(3, 12).(*kmsg.MetadataRequest)
	answer, err := s.control(metadata)
	if err != nil {
		return nil, err
	}
	offsets, configs := versioned(2, 7).(*kmsg.ListOffsetsRequest), versioned(32, 4).(*kmsg.DescribeConfigsRequest)
	for _, t := range answer.(*kmsg.MetadataResponse).Topics {
		if t.IsInternal {
			continue // its records are each broker's own
		}
		listed := kmsg.ListOffsetsRequestTopic{Topic: *t.Topic}
		for _, p := range t.Partitions {
			state[fmt.Sprint(*t.Topic, " ", p.Partition)] = fmt.Sprint(p.ErrorCode, p.Leader)
			listed.Partitions = append(listed.Partitions, kmsg.ListOffsetsRequestTopicPartition{Partition: p.Partition, CurrentLeaderEpoch: -1, Timestamp: -1})
		}
		offsets.Topics = append(offsets.Topics, listed)
		configs.Resources = append(configs.Resources, kmsg.DescribeConfigsRequestResource{ResourceType: kmsg.ConfigResourceTypeTopic, ResourceName: *t.Topic})
	}
	for _, name := range []string{"", "1"} {
		configs.Resources = append(configs.Resources, kmsg.DescribeConfigsRequestResource{ResourceType: kmsg.ConfigResourceTypeBroker, ResourceName: name})
	}
	if answer, err = s.control(offsets); err != nil {
		return nil, err
	}
	for _, t := range answer.(*kmsg.ListOffsetsResponse).Topics {
		for _, p := range t.Partitions {
			state[fmt.Sprint("end of ", t.Topic, " ", p.Partition)] = fmt.Sprint(p.ErrorCode, p.Offset)
		}
	}
	if answer, err = s.control(configs); err != nil {
		return nil, err
	}
	for _, r := range answer.(*kmsg.DescribeConfigsResponse).Resources {
		for _, one := range r.Configs {
			if set := one.Source == kmsg.ConfigSourceDynamicTopicConfig || one.Source == kmsg.ConfigSourceDynamicBrokerConfig || one.Source == kmsg.ConfigSourceDynamicDefaultBrokerConfig; set && one.Value != nil && one.Name != setByKafka {
				state[fmt.Sprint(one.Name, " of ", r.ResourceType, " ", r.ResourceName)] = fmt.Sprint(*one.Value)
			}
		}
	}
	return state, nil
}

// control asks something that must be answered, and learns the ids in it.
func (s *side) control(q kmsg.Request) (kmsg.Response, error) {
	conn, err := s.connection(control)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(answerTimeout)) // of an open connection
	if _, err := conn.Write(s.frame(request{Request: q}, 0)); err != nil {
		return nil, err
	}
	body, err := read(conn.in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kmsg.NameForKey(q.Key()), err)
	}
	response := q.ResponseKind()
	if body = body[4:]; response.IsFlexible() && q.Key() != 18 && len(body) > 0 {
		body = body[1:]
	}
	if err := response.ReadFrom(body); err != nil {
		return nil, err
	}
	s.ids.empty(response)
	return response, nil
}
