package groups

import (
	"context"
	"time"
)

// traffic writes records until it is stopped.
type traffic struct {
	cancel context.CancelFunc
	done   chan struct{}
	// sent and err are there once done is closed.
	sent int
	err  error
}

const (
	burst      = 60
	burstEvery = 50 * time.Millisecond
)

func startTraffic(addr, topic string) *traffic {
	ctx, cancel := context.WithCancel(context.Background())
	t := &traffic{cancel: cancel, done: make(chan struct{})}
	go t.run(ctx, addr, topic)
	return t
}

func (t *traffic) run(ctx context.Context, addr, topic string) {
	defer close(t.done)
	ticks := time.NewTicker(burstEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if t.err = produce(context.WithoutCancel(ctx), addr, topic, t.sent, t.sent+burst); t.err != nil {
			return
		}
		t.sent += burst
	}
}

// stop returns how many records there are.
func (t *traffic) stop() (sent int, err error) {
	t.cancel()
	<-t.done
	return t.sent, t.err
}
