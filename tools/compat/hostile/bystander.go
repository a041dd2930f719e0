package hostile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/internal/stalls"
)

// The client beside has no more to suffer than this: so many times its usual
// latency, and what a machine that others use as well may add. When that stands
// still altogether, it is nobody's fault.
const (
	slowest = 5
	grace   = 75 * time.Millisecond
	// stall is what a single request may take.
	stall = 1500 * time.Millisecond
	// quiet is for how long its usual latency is measured.
	quiet = 3 * time.Second
	// pace is the time between two of its records.
	pace = 2 * time.Millisecond
)

// bystander is a client that has nothing to do with what else goes on.
type bystander struct {
	client  *kgo.Client
	machine *stalls.Watch
	usual   latency
}

// latency is that of single produce requests.
type latency struct {
	count          int
	p50, p99, most time.Duration
}

func (l latency) String() string {
	short := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	return fmt.Sprintf("%d produce requests, p50 %v, p99 %v, longest %v", l.count, short(l.p50), short(l.p99), short(l.most))
}

func newBystander(ctx context.Context, addr string, machine *stalls.Watch) (*bystander, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.DefaultProduceTopic(topic), kgo.ProducerLinger(0),
		// Its own connections are not to come and go while others are counted.
		kgo.ConnIdleTimeout(15*time.Minute))
	if err != nil {
		return nil, err
	}
	b := &bystander{client: client, machine: machine}
	if err := b.produce(ctx); err != nil {
		client.Close()
		return nil, err
	}
	return b, nil
}

func (b *bystander) produce(ctx context.Context) error {
	return b.client.ProduceSync(ctx, &kgo.Record{Value: []byte("beside")}).FirstErr()
}

// during produces one record after another while do runs.
func (b *bystander) during(ctx context.Context, do func(context.Context) error) (latency, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, 1)
	go func() {
		done <- do(ctx)
		cancel(errDone)
	}()
	var requests []request
	for {
		began := time.Now()
		err := b.produce(ctx)
		switch {
		case errors.Is(context.Cause(ctx), errDone):
			return b.summary(requests), <-done
		case err != nil:
			cancel(err)
			return latency{}, errors.Join(fmt.Errorf("the client beside: %w", err), <-done)
		}
		requests = append(requests, request{began, time.Now()})
		_ = wait(ctx, pace)
	}
}

// request is when a produce request began, and when it was answered.
type request struct{ began, ended time.Time }

var errDone = errors.New("done")

func (b *bystander) summary(requests []request) latency {
	if len(requests) == 0 {
		return latency{}
	}
	var took []time.Duration
	for _, r := range requests {
		took = append(took, r.ended.Sub(r.began)-b.machine.Between(r.began, r.ended))
	}
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100] }
	return latency{count: len(took), p50: at(50), p99: at(99), most: at(100)}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
