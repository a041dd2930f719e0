package main

import (
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// runConsumer is a member of KIP-848, which gives up what it is asked for at
// once, and says so at once.
func (m *member) runConsumer() error {
	m.id, m.epoch = rand.Text(), 0
	has := []int32{}
	says := true // what it has, in the next heartbeat
	for {
		response, err := m.heartbeatConsumer(has, says)
		if err != nil {
			return err
		}
		switch err := kerr.ErrorForCode(response.ErrorCode); err {
		case nil:
		case kerr.CoordinatorLoadInProgress, kerr.CoordinatorNotAvailable:
			if _, err := m.wait(time.Second); err != nil {
				return err
			}
			continue
		case kerr.FencedMemberEpoch, kerr.UnknownMemberID:
			m.epoch, has, says = 0, []int32{}, true
			continue
		default:
			return fmt.Errorf("heartbeat: %w", err)
		}
		m.epoch = response.MemberEpoch
		has, says = assignedBy(response, has)
		m.census.has(m.number, m.epoch, len(has))
		if len(has) > 0 {
			if err := m.fetchFirst(has[0]); err != nil {
				return err
			}
		}
		if says {
			continue
		}
		stays, err := m.wait(time.Duration(response.HeartbeatIntervalMillis) * time.Millisecond)
		if err != nil {
			return err
		}
		if !stays {
			m.epoch = -1
			_, err := m.heartbeatConsumer(nil, false)
			return err
		}
	}
}

// assignedBy is what the member has after an answer, and whether that is
// another thing than before.
func assignedBy(response *kmsg.ConsumerGroupHeartbeatResponse, had []int32) (has []int32, changed bool) {
	if response.Assignment == nil {
		return had, false
	}
	has = []int32{}
	for _, topic := range response.Assignment.Topics {
		has = append(has, topic.Partitions...)
	}
	return has, !slices.Equal(has, had)
}

func (m *member) heartbeatConsumer(has []int32, says bool) (*kmsg.ConsumerGroupHeartbeatResponse, error) {
	if m.beat == nil {
		m.beat = kmsg.NewPtrConsumerGroupHeartbeatRequest()
	}
	q := m.beat
	q.Version, q.Group, q.MemberID, q.MemberEpoch, q.RebalanceTimeoutMillis = 1, m.group, m.id, m.epoch, -1
	q.SubscribedTopicNames, q.Topics = nil, nil
	if m.epoch == 0 {
		q.RebalanceTimeoutMillis = int32(rebalanceTimeout.Milliseconds())
		q.SubscribedTopicNames = []string{m.topic}
	}
	if says {
		q.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		if len(has) > 0 {
			q.Topics = append(q.Topics, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: m.topicID, Partitions: has})
		}
	}
	return ask[*kmsg.ConsumerGroupHeartbeatResponse](m.connection, q)
}
