package kafka

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
