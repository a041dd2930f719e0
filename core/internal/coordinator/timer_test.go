package coordinator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestATimerForWhatIsOverdueIsSetOnce(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	h.beat("g", "a", 0, "orders")
	s := h.shard()
	s.mu.Lock()
	defer s.mu.Unlock()
	h.clock.stop(time.Hour)
	s.timer.Stop()
	s.timer = nil
	s.schedule()
	set := s.timer
	require.NotNil(t, set)
	for range 3 { // as for requests that come before it goes off
		h.clock.stop(time.Millisecond)
		s.schedule()
		require.Same(t, set, s.timer)
	}
}
