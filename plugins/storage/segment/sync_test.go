package segment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASyncThatIsDoneIsDoneThoughTheTimeIsUp(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p := &pass{done: make(chan struct{})}
	require.ErrorIs(t, p.wait(over), context.Canceled)
	close(p.done)
	for range 100 { // each time, not by luck
		require.NoError(t, p.wait(over))
	}
}
