package deadline

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func ended(t *testing.T) context.Context {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	return over
}

func TestAnAnswerThatIsThereCounts(t *testing.T) {
	answers := make(chan int, 1)
	for want := range 100 { // each time, not by luck
		answers <- want
		got, came := Await(ended(t), answers)
		require.True(t, came)
		require.Equal(t, want, got)
	}
	_, came := Await(ended(t), answers)
	require.False(t, came)
}

func TestAClosedChannelAnswers(t *testing.T) {
	done := make(chan struct{})
	close(done)
	for range 100 {
		_, came := Await(ended(t), done)
		require.True(t, came)
	}
}

func TestAnAnswerIsWaitedFor(t *testing.T) {
	answers := make(chan int)
	go func() { answers <- 3 }()
	got, came := Await(t.Context(), answers)
	require.True(t, came)
	require.Equal(t, 3, got)
}

// stuck is a context that has yet to end by its deadline.
type stuck struct {
	context.Context
	deadline time.Time
}

func (s stuck) Deadline() (time.Time, bool) { return s.deadline, true }

func TestPast(t *testing.T) {
	require.True(t, Past(stuck{t.Context(), time.Now()}))
	require.False(t, Past(stuck{t.Context(), time.Now().Add(time.Hour)}))
	require.False(t, Past(t.Context()))
	require.False(t, Past(ended(t)), "it was given up, and has no deadline")
}
