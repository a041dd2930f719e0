package coordinator

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// A batch that is damaged is not passed over: what was in it is not known. It is
// read again, less and less often, until it is there again.
func TestALogThatIsDamagedIsReadAgain(t *testing.T) {
	h := newHouse(t)
	said, _ := h.listens()
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	require.Nil(t, committed(t, h.commit("g", "orders", 2)))
	require.NoError(t, h.logOf().Damage(1))
	h.lead(2, 2)
	h.lead(1, 3)
	failed := func(times int) func() bool {
		return func() bool { return said.count("groups cannot be read") == times }
	}
	again := func(after time.Duration) {
		require.Eventually(t, func() bool { return h.clock.timers() == 1 }, time.Minute, time.Millisecond)
		h.clock.Advance(after)
	}
	require.Eventually(t, failed(1), time.Minute, time.Millisecond)
	require.Equal(t, 1, said.count("batch 1 to 1 is damaged"))
	require.Equal(t, 1, said.count("offsets.topic.lost=0:1-1\n"))
	loading, unread := h.coordinator.Loading()
	require.Equal(t, []int{1, 1}, []int{loading, unread})
	require.Equal(t, kerr.CoordinatorLoadInProgress, committed(t, h.commit("g", "orders", 3)))
	for i, wait := range []time.Duration{1, 2, 4, 8, 16, 32, 32} {
		again(wait * time.Second)
		require.Eventually(t, failed(i+2), time.Minute, time.Millisecond)
	}
	require.NoError(t, h.logOf().Damage(1)) // undone
	again(longestReloadDelay)
	h.serves()
	require.EqualValues(t, 2, h.fetch("g", "orders"))
	loading, unread = h.coordinator.Loading()
	require.Equal(t, []int{0, 0}, []int{loading, unread})
	s := h.shard()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Zero(t, s.failures, "the next load did not fail yet")
}

// giveUp sets offsets.topic.lost while the broker runs.
func (h *house) giveUp(lost string) {
	h.t.Helper()
	failures := h.planner.AlterConfigs(context.Background(), []metadata.ConfigChange{{
		Resource: metadata.OneBroker(1), Operations: []metadata.ConfigOperation{{Name: "offsets.topic.lost", Kind: metadata.SetConfig, Value: &lost}},
	}}, false)
	require.Nil(h.t, failures[0])
}

func TestDamageThatIsGivenUpIsPassedOver(t *testing.T) {
	h := newHouse(t)
	said, seen := h.listens()
	h.create("orders", 1)
	h.start()
	for offset := range int64(6) {
		require.Nil(t, committed(t, h.commit("g", "orders", offset)))
	}
	require.Nil(t, committed(t, h.commit("other", "orders", 7)))
	require.NoError(t, h.logOf().Damage(2))
	require.NoError(t, h.logOf().Damage(5))
	h.lead(2, 2)
	h.lead(1, 3)
	failed := func(times int) {
		require.Eventually(t, func() bool { return said.count("groups cannot be read") == times }, time.Minute, time.Millisecond)
		require.Eventually(t, func() bool { return h.clock.timers() == 1 }, time.Minute, time.Millisecond)
	}
	failed(1)
	require.Equal(t, 1, said.count(`offsets.topic.lost="0:2-2,0:5-5"`))
	require.Zero(t, seen.unreadable)

	h.giveUp("0:2-2,1:0-9,0:5-6")
	h.clock.Advance(reloadDelay)
	h.serves()
	require.EqualValues(t, 4, h.fetch("g", "orders"), "what was committed before")
	require.EqualValues(t, 7, h.fetch("other", "orders"), "what is intact in a range counts")
	require.Equal(t, 2, seen.unreadable)
	require.Equal(t, 1, said.count("offset=2 last-offset=2 "))
	require.Equal(t, 1, said.count("offset=5 last-offset=5 "))

	require.Nil(t, committed(t, h.commit("g", "orders", 8)))
	h.lead(2, 4)
	h.lead(1, 5)
	h.serves()
	require.EqualValues(t, 8, h.fetch("g", "orders"))

	require.NoError(t, h.logOf().Damage(0))
	h.lead(2, 6)
	h.lead(1, 7)
	failed(2)
	require.Equal(t, 1, said.count("offsets.topic.lost=0:0-0\n"), "what is new is not given up")
}

func TestMuchDamageIsAFewWords(t *testing.T) {
	var e damagedError
	for i := range int64(mostFaults + 1) {
		e.damaged = append(e.damaged, damage{config.Offsets{Partition: 7, First: 2 * i, Last: 2 * i}, errors.New("damaged")})
	}
	require.Equal(t, "7:0-20", e.lost())
	require.ErrorContains(t, &e, "; damaged; 1 more")
}
