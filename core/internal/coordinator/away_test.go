package coordinator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// stop lets time pass in which the broker does nothing.
func (c *countingClock) stop(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away += d
}

func (c *countingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Fake.Now().Add(c.away + c.forward)
}

func (h *house) heard(groupID, member string, epoch int32) *kerr.Error {
	return kerr.TypedErrorForCode(answerOf[*kmsg.ConsumerGroupHeartbeatResponse](h.t, h.beat(groupID, member, epoch)).ErrorCode)
}

// Two members beat while the broker is stopped for longer than their session.
// When it goes on, the session timer comes first.
func TestMembersOutliveABrokerThatWasAway(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.start()
	session := time.Duration(h.coordinator.Config.Groups.ConsumerSessionTimeoutMs) * time.Millisecond
	epochs := map[string]int32{}
	for _, member := range []string{"a", "b", "dead"} {
		epochs[member] = answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", member, 0, "orders")).MemberEpoch
	}
	h.clock.Advance(session - time.Millisecond)
	h.clock.stop(session)
	h.clock.Advance(time.Millisecond)
	require.Nil(t, h.heard("g", "a", epochs["a"]))
	require.Nil(t, h.heard("g", "b", epochs["b"]))
	h.clock.Advance(longestQuiet)
	require.Equal(t, kerr.UnknownMemberID, h.heard("g", "dead", epochs["dead"]))
	require.Equal(t, kerr.FencedMemberEpoch, h.heard("g", "a", epochs["a"]-1), "it is still there")
}

func TestABrokerThatIsAlwaysLateGoesOn(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	session := time.Duration(h.coordinator.Config.Groups.ConsumerSessionTimeoutMs) * time.Millisecond
	epoch := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "a", 0, "orders")).MemberEpoch
	for _, due := range []time.Duration{session, longestQuiet} {
		h.clock.Advance(due - time.Millisecond)
		h.clock.stop(session)
		h.clock.Advance(time.Millisecond)
	}
	require.Equal(t, kerr.UnknownMemberID, h.heard("g", "a", epoch))
}
