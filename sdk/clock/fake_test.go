package clock

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var start = time.Unix(1_000_000, 0)

func TestAdvanceCallsInOrderOfDueTimes(t *testing.T) {
	f := NewFake(start)
	var calls []time.Duration
	for _, due := range []time.Duration{3, 1, 2, 1, 9} {
		f.AfterFunc(due, func() {
			require.Equal(t, start.Add(due), f.Now(), "the clock stands at the time of the call")
			calls = append(calls, due)
		})
	}
	f.Advance(5)
	require.Equal(t, []time.Duration{1, 1, 2, 3}, calls)
	require.Equal(t, start.Add(5), f.Now())
	f.Advance(4)
	require.Equal(t, []time.Duration{1, 1, 2, 3, 9}, calls)
}

func TestACallMayAskForAnother(t *testing.T) {
	f := NewFake(start)
	calls := 0
	var again func()
	again = func() {
		calls++
		f.AfterFunc(time.Second, again)
	}
	f.AfterFunc(time.Second, again)
	f.Advance(3500 * time.Millisecond)
	require.Equal(t, 3, calls)
}

func TestStopPreventsACallOnce(t *testing.T) {
	f := NewFake(start)
	stopped := f.AfterFunc(1, func() { t.Error("a stopped timer was called") })
	made := f.AfterFunc(1, func() {})
	require.True(t, stopped.Stop())
	require.False(t, stopped.Stop())
	f.Advance(1)
	require.False(t, made.Stop())
}

// asked tells when somebody asks its clock for a call.
type asked struct {
	*Fake
	now chan struct{}
}

func (a asked) AfterFunc(d time.Duration, call func()) Timer {
	defer close(a.now)
	return a.Fake.AfterFunc(d, call)
}

func TestWait(t *testing.T) {
	f := asked{NewFake(start), make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- Wait(t.Context(), f, time.Second) }()
	<-f.now
	f.Advance(time.Second - 1)
	select {
	case err := <-ended:
		t.Fatalf("it waited too little: %v", err)
	default:
	}
	f.Advance(1)
	require.NoError(t, <-ended)
}

func TestWaitEndsWithItsContext(t *testing.T) {
	f := NewFake(start)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, Wait(cancelled, f, time.Second), context.Canceled)
	require.Empty(t, f.timers, "the timer is stopped")
}
