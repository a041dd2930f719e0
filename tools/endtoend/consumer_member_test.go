package endtoend

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// consumerMember is a member of a group of the consumer protocol (KIP-848) that
// says something only when it is told to, and gives up at once what it is to.
type consumerMember struct {
	client           *kgo.Client
	group, id, topic string
	epoch            int32
	// has is what the broker gave it last.
	has []kmsg.ConsumerGroupHeartbeatRequestTopic
}

// beat joins the first time. While its group is read nothing comes of it: kgo does
// not repeat these requests.
func (m *consumerMember) beat(t *testing.T) {
	t.Helper()
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Group, q.MemberID, q.MemberEpoch, q.RebalanceTimeoutMillis, q.Topics = m.group, m.id, m.epoch, -1, m.has
	if m.epoch == 0 {
		q.RebalanceTimeoutMillis, q.SubscribedTopicNames, q.Topics = 60_000, []string{m.topic}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	answer, err := q.RequestWith(t.Context(), m.client)
	require.NoError(t, err)
	if answer.ErrorCode == kerr.CoordinatorLoadInProgress.Code {
		return
	}
	require.NoError(t, kerr.ErrorForCode(answer.ErrorCode))
	m.epoch = answer.MemberEpoch
	if answer.Assignment != nil {
		m.has = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		for _, given := range answer.Assignment.Topics {
			m.has = append(m.has, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: given.TopicID, Partitions: given.Partitions})
		}
	}
}

func (m *consumerMember) partitions() (count int) {
	for _, topic := range m.has {
		count += len(topic.Partitions)
	}
	return count
}

// settle has the members beat in turn until each has as many partitions as it
// is to have, and says how long that took.
func settle(t *testing.T, members []*consumerMember, want ...int) time.Duration {
	t.Helper()
	began := time.Now()
	for settled := false; !settled; {
		settled = true
		for n, m := range members {
			m.beat(t)
			settled = settled && m.partitions() == want[n] && m.epoch == members[0].epoch
		}
		require.Less(t, time.Since(began), time.Minute, "the group does not come to %v", want)
	}
	return time.Since(began)
}
