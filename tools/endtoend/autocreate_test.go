package endtoend

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestATopicIsCreatedOnceForAHundredClients has them ask for it at the same
// time, each over a connection of its own; each is told the same topic.
func TestATopicIsCreatedOnceForAHundredClients(t *testing.T) {
	b := startBroker(t, "-X", "num.partitions=3")
	const clients = 100
	ids := make([][16]byte, clients)
	var connected, done sync.WaitGroup
	connected.Add(clients)
	for i := range ids {
		done.Go(func() {
			client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr))
			if err == nil {
				defer client.Close()
				err = client.Ping(t.Context())
			}
			connected.Done()
			if !assert.NoError(t, err) {
				return
			}
			connected.Wait()
			q := kmsg.NewPtrMetadataRequest()
			q.AllowAutoTopicCreation = true
			q.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr("orders")}}
			answer, err := q.RequestWith(t.Context(), client)
			if assert.NoError(t, err) && assert.Zero(t, answer.Topics[0].ErrorCode) {
				assert.Len(t, answer.Topics[0].Partitions, 3)
				ids[i] = answer.Topics[0].TopicID
			}
		})
	}
	done.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr))
	require.NoError(t, err)
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"orders"}, topics.Names())
	require.EqualValues(t, ids[0], topics["orders"].ID)
}
