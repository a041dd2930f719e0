package supervise

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/remote"
)

// looks at a process that says nothing until the time for it is over; each but
// the first len(late) is in time.
func looks(patience time.Duration, late []time.Duration) string {
	var out strings.Builder
	s := silence{left: patience}
	var passed time.Duration
	for n := 0; s.next() > 0; n++ {
		after := s.next()
		if n < len(late) {
			after += late[n]
		}
		passed += after
		s.look(after)
		fmt.Fprintf(&out, "at %6v after %5v: %5v left\n", passed, after, s.left)
	}
	return out.String()
}

func TestSilenceTranscripts(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	cases := map[string]struct {
		patience time.Duration
		late     []time.Duration
		want     string
	}{
		"a host that runs": {patience: 500 * ms, late: []time.Duration{0, ms, 99 * ms}, want: `
at  100ms after 100ms: 400ms left
at  201ms after 101ms: 300ms left
at  400ms after 199ms: 200ms left
at  500ms after 100ms: 100ms left
at  600ms after 100ms:    0s left
`},
		"a host that stands still at the end": {patience: 250 * ms, late: []time.Duration{0, 0, 9 * s}, want: `
at  100ms after 100ms: 150ms left
at  200ms after 100ms:  50ms left
at  9.25s after 9.05s:  50ms left
at   9.3s after  50ms:    0s left
`},
		"a host that stands still again and again": {patience: 300 * ms, late: []time.Duration{s, 0, s, 0, s}, want: `
at   1.1s after  1.1s: 300ms left
at   1.2s after 100ms: 200ms left
at   2.3s after  1.1s: 200ms left
at   2.4s after 100ms: 100ms left
at   3.5s after  1.1s: 100ms left
at   3.6s after 100ms:    0s left
`},
		"a host that is always late": {patience: 200 * ms, late: []time.Duration{s, s, s, s}, want: `
at   1.1s after  1.1s: 200ms left
at   2.2s after  1.1s: 100ms left
at   3.3s after  1.1s: 100ms left
at   4.4s after  1.1s:    0s left
`},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, strings.TrimPrefix(test.want, "\n"), looks(test.patience, test.late))
		})
	}
}

// stalling is a clock on a machine that stands still for a while: what is due in
// that time comes at its end.
type stalling struct {
	clock.Clock
	from, to time.Time
}

func (s stalling) AfterFunc(d time.Duration, call func()) clock.Timer {
	if due := s.Now().Add(d); !due.Before(s.from) && due.Before(s.to) {
		d = s.to.Sub(s.Now())
	}
	return s.Clock.AfterFunc(d, call)
}

// missACall has the process suspected after 200 ms.
func (s *scene) missACall() {
	ctx, cancel := context.WithTimeout(s.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := s.assign(ctx)
	require.ErrorIs(s, err, remote.ErrDeadline)
}

func silentPartitioner() fakePartitioner {
	return fakePartitioner{func(ctx context.Context) ([]int32, error) {
		<-ctx.Done()
		return nil, remote.ErrDeadline
	}}
}

// The process is suspected at 200 ms, and from 650 to 2650 ms the machine stands
// still, the host and the process alike.
func TestAMachineThatStandsStillIsNoReasonToKill(t *testing.T) {
	perform(t, func(s *scene) {
		s.clock = stalling{clock.Real(), s.began.Add(650 * time.Millisecond), s.began.Add(2650 * time.Millisecond)}
		first := newFake(1, silentPartitioner())
		first.health = func(ctx context.Context) error {
			if clock.Wait(ctx, clock.Real(), time.Until(s.clock.(stalling).to.Add(20*time.Millisecond))) != nil {
				return unanswered(ctx)
			}
			return nil
		}
		s.start(first)
		s.missACall()
		pass(10 * time.Second)
		require.False(s, first.killed.Load())
		require.Zero(s, s.module.Status().Restarts)
	})
}

func TestHangIsFoundThoughTheMachineStoodStill(t *testing.T) {
	perform(t, func(s *scene) {
		s.clock = stalling{clock.Real(), s.began.Add(350 * time.Millisecond), s.began.Add(2350 * time.Millisecond)}
		first := newFake(1, silentPartitioner())
		first.health = hangs
		s.start(first, newFake(2, answers(2)))
		s.missACall()
		pass(10 * time.Second)
		require.ErrorContains(s, s.module.Status().LastError, "did not answer for 500ms")
		require.Equal(s, "2.75s running pid 2 restarts 1", s.changes[len(s.changes)-1])
	})
}
