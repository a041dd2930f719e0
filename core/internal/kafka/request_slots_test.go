package kafka

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

func TestRequestSlots(t *testing.T) {
	const most = 3
	slots := newRequestSlots(most)
	var inside, entered atomic.Int64
	var running sync.WaitGroup
	for range 16 {
		running.Go(func() {
			for range 2000 {
				slots.enter()
				if inside.Add(1) > most {
					t.Error("more are in than may be")
				}
				entered.Add(1)
				inside.Add(-1)
				slots.leave()
			}
		})
	}
	running.Wait()
	require.EqualValues(t, 16*2000, entered.Load())
	require.Zero(t, slots.taken.Load())
	require.Zero(t, slots.waiting.Load())
}

// A request that finds no place is not lost; it is executed when there is one.
func TestARequestWaitsForItsPlace(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.QueuedMaxRequests = 1 }))
	slow, next := b.dial(t), b.dial(t)
	release := b.backend.Controller.(*planner).Hold()
	create := sample(19, 5)
	created := slow.send(create)
	require.Eventually(t, func() bool { return b.requests.taken.Load() == 1 }, time.Minute, time.Millisecond)
	asked := next.send(metadataRequest())
	require.Eventually(t, func() bool { return b.requests.waiting.Load() == 1 }, time.Minute, time.Millisecond)
	release()
	slow.receive(created, create)
	next.receive(asked, metadataRequest())
}

// A fetch that waits for records has no place: others go on.
func TestAParkedFetchTakesNoPlace(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.QueuedMaxRequests = 1 }))
	id := b.create(t, "orders", 1, nil)
	parked := b.dial(t)
	fetch := fetchOf(12, "orders", id, 0)
	correlation := parked.send(fetch)
	b.awaitParked(t, 1)
	require.Zero(t, producedOf(t, b.dial(t).ask(produceOf(9, "orders", id, 1, batchOf("a")))).ErrorCode)
	require.Equal(t, []int64{0}, offsets(fetchedOf(t, parked.receive(correlation, fetch)).RecordBatches))
}

// A client that does not read its answers keeps no place either.
func TestAnAnswerThatIsNotReadTakesNoPlace(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.QueuedMaxRequests = 1 }))
	id := b.create(t, "orders", 1, nil)
	for range 40 {
		b.append(t, "orders", 0, batchOfSize(1000, 1024))
	}
	fetch := fetchOf(12, "orders", id, 0)
	fetch.Topics[0].Partitions[0].PartitionMaxBytes = 64 << 20
	end := fetchOf(12, "orders", id, 40_000)
	// One is stopped as it writes what it has, one as it goes to wait.
	for _, requests := range [][]kmsg.Request{{fetch}, {fetch, end}} {
		deaf := b.dial(t)
		for _, q := range requests {
			deaf.send(q)
		}
		_, err := deaf.Read(make([]byte, 1))
		require.NoError(t, err)
	}
	require.Zero(t, producedOf(t, b.dial(t).ask(produceOf(9, "orders", id, 1, batchOf("a")))).ErrorCode)
}

// Answers come in the order of the requests, whatever some of them wait for.
func TestPipelinedRequestsAreAnsweredInOrder(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	fetch := fetchOf(12, "orders", id, 0)
	requests := []kmsg.Request{
		metadataRequest(), fetch, metadataRequest(), produceOf(9, "orders", id, 1, batchOf("a")), sample(18, 3), fetchOf(12, "orders", id, 0), metadataRequest(),
	}
	const rounds = 10
	var all []byte
	for round := range int32(rounds) {
		for i, q := range requests {
			all = append(all, frame(q, round*int32(len(requests))+int32(i))...)
		}
	}
	_, err := client.Write(all)
	require.NoError(t, err)
	for round := range int32(rounds) {
		for i, q := range requests {
			client.receive(round*int32(len(requests))+int32(i), q)
		}
	}
}
