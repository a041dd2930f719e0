package kafka

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
)

func TestShutdownAnswersParkedFetches(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client, idle := b.dial(t), b.dial(t)
	q := fetchOf(12, "orders", id, 0)
	correlation := client.send(q)
	b.awaitParked(t, 1)
	began := time.Now()
	require.NoError(t, b.Shutdown(patience(t)))
	require.Less(t, time.Since(began), time.Minute)
	require.Zero(t, fetchedOf(t, client.receive(correlation, q)).ErrorCode)
	client.requireClosed()
	idle.requireClosed()
}

func TestShutdownWaitsForAProduceAndNotForever(t *testing.T) {
	b := newTestBroker(t)
	b.strategy.AckDurable = true
	id := b.create(t, "orders", 1, nil)
	gate := make(chan struct{})
	p := b.partition(t, "orders", 0)
	b.engine.Log(p.ID()).Gate = gate
	client := b.dial(t)
	q := produceOf(9, "orders", id, -1, batchOf("a"))
	client.send(q)
	b.awaitParked(t, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, b.Shutdown(ctx), context.DeadlineExceeded)
	client.requireClosed()
	close(gate)
}

// Whether a stop comes before or after a listener begins makes no difference.
func TestAListenerThatBeginsAfterTheStopEndsByIt(t *testing.T) {
	b := newTestBroker(t)
	b.dial(t).ask(metadataRequest())
	require.NoError(t, b.Shutdown(patience(t)))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, b.Serve(t.Context(), l, config.Listener{Name: "LATE", Protocol: "PLAINTEXT"}))
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

func TestAShutdownWithoutTimeCutsNobodyOffWhereNobodyIs(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		b := newTestBroker(t)
		client := b.dial(t)
		client.ask(metadataRequest())
		require.NoError(t, client.Close())
		require.Eventually(t, func() bool { return b.open() == 0 }, time.Minute, time.Millisecond)
		require.NoError(t, b.Shutdown(over))
	}
}

func TestShutdownWaitsForAProduce(t *testing.T) {
	b := newTestBroker(t)
	b.strategy.AckDurable = true
	id := b.create(t, "orders", 1, nil)
	gate := make(chan struct{})
	b.engine.Log(b.partition(t, "orders", 0).ID()).Gate = gate
	client := b.dial(t)
	q := produceOf(9, "orders", id, -1, batchOf("a"))
	correlation := client.send(q)
	b.awaitParked(t, 1)
	stopped := make(chan error, 1)
	go func() { stopped <- b.Shutdown(patience(t)) }()
	require.Eventually(t, b.isStopping, time.Minute, time.Millisecond)
	close(gate)
	require.NoError(t, <-stopped)
	require.Zero(t, producedOf(t, client.receive(correlation, q)).ErrorCode)
	client.requireClosed()
}

func (s *Server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}
