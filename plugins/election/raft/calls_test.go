package raft

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// upWhenEnded is the context of a caller whose time is up when the module has
// ended, and not before.
type upWhenEnded struct {
	context.Context
	r *Raft
}

func (u upWhenEnded) Done() <-chan struct{} {
	<-u.r.ended
	return u.r.ended
}

func TestAStopThatIsDoneIsInTimeThoughTheTimeIsUp(t *testing.T) {
	for range 10 { // each time, not by luck
		r := start(t, t.TempDir())
		require.NoError(t, r.Stop(upWhenEnded{t.Context(), r}))
	}
}

func TestAnAnswerThatIsThereIsTakenThoughTheTimeIsUp(t *testing.T) {
	r := start(t, t.TempDir())
	defer stop(t, r)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p := newProposal(1, [][]byte{{1}})
	for last := range int64(100) {
		p.done <- answer{last: last}
		got, err := r.await(over, p)
		require.NoError(t, err)
		require.Equal(t, last, got)
	}
	_, err := r.await(over, p)
	require.ErrorIs(t, err, context.Canceled)
}
