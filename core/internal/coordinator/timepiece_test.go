package coordinator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// setClock sets the time of day, which no timer follows.
func (h *house) setClock(by time.Duration) {
	h.clock.mu.Lock()
	defer h.clock.mu.Unlock()
	h.clock.forward += by
}

// hasTimepiece has the coordinator know what time it is without the clock.
func (h *house) hasTimepiece() {
	h.coordinator.timepiece.elapsed = func(now time.Time) time.Duration {
		h.clock.mu.Lock()
		defer h.clock.mu.Unlock()
		return now.Sub(h.coordinator.timepiece.began) - h.clock.forward
	}
}

func TestSessionsDoNotFollowTheClock(t *testing.T) {
	for name, by := range map[string]time.Duration{"set forward": time.Hour, "set back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.hasTimepiece()
			h.create("orders", 2)
			h.start()
			session := time.Duration(h.coordinator.Config.Groups.ConsumerSessionTimeoutMs) * time.Millisecond
			epoch := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "a", 0, "orders")).MemberEpoch
			dead := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "dead", 0, "orders")).MemberEpoch
			h.setClock(by)
			require.Equal(t, kerr.CoordinatorLoadInProgress, h.heard("g", "a", epoch))
			h.serves()
			h.clock.Advance(session - time.Millisecond)
			r := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "a", epoch))
			require.Zero(t, r.ErrorCode)
			h.clock.Advance(time.Millisecond)
			require.Equal(t, kerr.UnknownMemberID, h.heard("g", "dead", dead))
			h.clock.Advance(time.Duration(h.coordinator.Config.Groups.ConsumerAssignmentIntervalMs) * time.Millisecond)
			assigned := func() bool {
				next := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "a", r.MemberEpoch))
				return next.ErrorCode == 0 && next.MemberEpoch > r.MemberEpoch
			}
			require.Eventually(t, assigned, 10*time.Second, time.Millisecond, "what the other had is given to it")
		})
	}
}

func TestATimerFindsThatTheClockWasSet(t *testing.T) {
	h := newHouse(t)
	h.hasTimepiece()
	h.create("orders", 1)
	h.start()
	session := time.Duration(h.coordinator.Config.Groups.ConsumerSessionTimeoutMs) * time.Millisecond
	epoch := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "a", 0, "orders")).MemberEpoch
	h.setClock(time.Hour)
	h.clock.Advance(session)
	h.serves()
	require.Nil(t, h.heard("g", "a", epoch))
}
