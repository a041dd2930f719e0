package churn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/sdk/clock"

	"odradek.dev/tools/compat/admin"
)

// look is how often the state of groups is asked for.
const look = 50 * time.Millisecond

// after is when the machine has run for so many milliseconds since a time in Unix
// milliseconds.
func (s *suite) after(at, ms int64) int64 {
	return s.machine.After(time.UnixMilli(at), time.Duration(ms)*time.Millisecond).UnixMilli()
}

// isLate reports whether the machine has run for longer than that.
func (s *suite) isLate(began time.Time, within time.Duration) bool {
	return time.Now().After(s.machine.After(began, within))
}

// until asks the broker until the answer is good; missing says what is not.
func (s *suite) until(ctx context.Context, within time.Duration, good func(context.Context, *kadm.Client) (missing string, err error)) error {
	began := time.Now()
	return admin.Ask(s.broker.Addr, func(client *kadm.Client) error {
		last := "an answer"
		for ctx.Err() == nil && !s.isLate(began, within) {
			missing, err := good(ctx, client)
			if err == nil && missing == "" {
				return nil
			}
			if missing != "" {
				last = missing
			}
			_ = clock.Wait(ctx, clock.Real(), look) // the loop looks whether ctx has ended
		}
		return errors.Join(fmt.Errorf("after %v there is still no %s", within, last), ctx.Err(), s.complaints())
	})
}

// complaints is what the libraries reported, for whoever looks for a reason.
func (s *suite) complaints() error {
	var all []error
	for _, g := range s.groups {
		l := s.ledgers[g]
		l.mu.Lock()
		for text, times := range l.complaints {
			all = append(all, fmt.Errorf("group %s: %d times %s", g.name, times, text))
		}
		l.mu.Unlock()
	}
	return errors.Join(all...)
}

func (s *suite) awaitStates(ctx context.Context, wanted ...string) error {
	return s.until(ctx, settleWithin, func(ctx context.Context, client *kadm.Client) (string, error) {
		listed, err := client.ListGroups(ctx)
		if err != nil {
			return "", err
		}
		for _, g := range s.groups {
			if is := listed[g.name].State; !slices.Contains(wanted, is) {
				return fmt.Sprintf("group %s that is one of %q; it is %q", g.name, wanted, is), nil
			}
		}
		return "", nil
	})
}

func (s *suite) settle(ctx context.Context) error { return s.awaitStates(ctx, "Stable", "Empty") }

// drain ends the producer, and waits until the groups have committed its last
// record.
func (s *suite) drain(ctx context.Context) (err error) {
	s.dry(drained)
	if s.ends, err = s.traffic.end(ctx); err != nil {
		return err
	}
	return s.until(ctx, time.Minute, func(ctx context.Context, client *kadm.Client) (string, error) {
		for _, g := range s.groups {
			committed, err := client.FetchOffsets(ctx, g.name)
			if err != nil {
				return "", err
			}
			for partition, end := range s.ends {
				if at, _ := committed.Lookup(topic, partition); at.At != end {
					return fmt.Sprintf("commit of group %s of offset %d of partition %d; it is at %d", g.name, end, partition, at.At), nil
				}
			}
		}
		return "", nil
	})
}

// empty has all members leave.
func (s *suite) empty(ctx context.Context) error {
	for name, m := range s.running {
		if err := m.do(leave); err != nil {
			return err
		}
		delete(s.running, name)
		s.leaving = append(s.leaving, m)
	}
	var failures []error
	began := time.Now()
	for _, m := range s.leaving {
		failures = append(failures, m.await(func() bool { return s.isLate(began, settleWithin) }))
	}
	return errors.Join(append(failures, s.awaitStates(ctx, "Empty"))...)
}
