package coordinator

import (
	"context"
	"runtime"
	"time"

	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/clock"
)

// turnTime is how long one question about regular expressions is worked on
// before another has its turn.
const turnTime = 10 * time.Millisecond

// resolver matches regular expressions with the names of topics. It takes no
// more than half of the processors, as a refresh may be due in all groups at
// once, and heartbeats must not wait for it; of those that wait for a processor
// each has its turn, so that a slow expression is slow for its own group only.
// Safe for concurrent use.
type resolver struct {
	clock clock.Clock
	// turns has an element for each that is working.
	turns chan struct{}
	match func(expressions, names []string, turn func() error) ([][]string, error)
}

func newResolver(c clock.Clock) resolver {
	return resolver{clock: c, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), match: consumer.Match}
}

// resolve has the names, and what is compiled, only once it has its first turn.
func (r *resolver) resolve(ctx context.Context, expressions []string, names func() []string) ([][]string, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	works, since := true, r.clock.Now()
	defer func() {
		if works {
			<-r.turns
		}
	}()
	return r.match(expressions, names(), func() error {
		if r.clock.Now().Sub(since) < turnTime {
			return ctx.Err()
		}
		<-r.turns
		err := r.begin(ctx)
		works, since = err == nil, r.clock.Now()
		return err
	})
}

func (r *resolver) begin(ctx context.Context) error {
	select {
	case r.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// resolve has regular expressions resolved by the topics that the machine knows
// now, and gives it what they come to. mu is held.
func (s *shard) resolve(q step.Resolve) {
	load, seen := s.loads, s.image.Load()
	s.work.begin(func() {
		topics, err := s.resolver.resolve(s.context, q.Expressions, seen.topicNames)
		s.mu.Lock()
		defer s.unlock()
		if s.loads != load || s.state != serving {
			return
		}
		s.step(func() step.Output {
			return s.machine.Resolved(s.now(), step.Resolved{Resolve: q, Topics: topics, Err: err})
		})
	})
}
