package kafka

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
)

func TestRequestBytes(t *testing.T) {
	const most, largest = 100, 60
	room := newRequestBytes(most)
	var inside atomic.Int64
	var running sync.WaitGroup
	for i := range int64(16) {
		running.Go(func() {
			n := i*largest/16 + 1
			for range 1000 {
				room.enter(n)
				if inside.Add(n) > most+largest {
					t.Error("more bytes are in than may be")
				}
				inside.Add(-n)
				room.leave(n)
			}
		})
	}
	running.Wait()
	require.Zero(t, room.taken)
	require.Nil(t, newRequestBytes(0))
	require.Nil(t, newRequestBytes(-1))
}

// awaitBytes waits until so many bytes are counted and so many requests wait.
func (b *testBroker) awaitBytes(t *testing.T, taken int64, waiting int) {
	t.Helper()
	require.Eventually(t, func() bool {
		b.requestBytes.mu.Lock()
		defer b.requestBytes.mu.Unlock()
		return b.requestBytes.taken == taken && b.requestBytes.waiting == waiting
	}, time.Minute, time.Millisecond)
}

// While a large request arrives, no other is executed.
func TestRequestsWaitForTheBytesOfOthers(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.QueuedMaxRequestBytes = 1000 }))
	id := b.create(t, "orders", 1, nil)
	large := produceOf(9, "orders", id, 1, batchOfSize(1, 5000))
	bytes := frame(large, 1)
	slow, next := b.dial(t), b.dial(t)
	_, err := slow.Write(bytes[:len(bytes)/2])
	require.NoError(t, err)
	b.awaitBytes(t, int64(len(bytes)), 0)

	asked := next.send(metadataRequest())
	b.awaitBytes(t, int64(len(bytes)), 1)
	_, err = slow.Write(bytes[len(bytes)/2:])
	require.NoError(t, err)
	require.Zero(t, producedOf(t, slow.receive(1, large)).ErrorCode)
	next.receive(asked, metadataRequest())
	b.awaitBytes(t, 0, 0)
}

// A client that goes in the middle of its request gives its bytes back.
func TestAClientThatGoesGivesItsBytesBack(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.QueuedMaxRequestBytes = 1000 }))
	id := b.create(t, "orders", 1, nil)
	bytes := frame(produceOf(9, "orders", id, 1, batchOfSize(1, 5000)), 1)
	gone := b.dial(t)
	_, err := gone.Write(bytes[:len(bytes)/2])
	require.NoError(t, err)
	b.awaitBytes(t, int64(len(bytes)), 0)
	require.NoError(t, gone.Close())
	b.dial(t).ask(metadataRequest())
	b.awaitBytes(t, 0, 0)
}
