package kafka

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
)

func quotaOf(t *testing.T, set map[string]string) *connectionQuota {
	t.Helper()
	set["listeners"] = "PLAINTEXT://127.0.0.1:1,EXTERNAL://127.0.0.1:2"
	set["listener.security.protocol.map"] = "PLAINTEXT:PLAINTEXT,EXTERNAL:PLAINTEXT"
	b, errs := config.Build(set)
	require.Empty(t, errs)
	return newConnectionQuota(&b)
}

var (
	here  = netip.MustParseAddr("127.0.0.1")
	there = netip.MustParseAddr("10.0.0.7")
)

func TestTheBrokersListenerIsSpared(t *testing.T) {
	q := quotaOf(t, map[string]string{"max.connections": "2"})
	for range 2 {
		require.True(t, q.free("EXTERNAL"))
		q.take("EXTERNAL", here)
	}
	require.False(t, q.free("EXTERNAL"))
	for range 2 {
		require.True(t, q.free("PLAINTEXT"), "what the whole broker may have does not hold for it")
		q.take("PLAINTEXT", here)
		require.True(t, q.exceeded(), "and others have to go")
		q.give("EXTERNAL", here)
		require.False(t, q.exceeded())
	}
	require.False(t, q.free("PLAINTEXT"), "what one listener may have does")
	q.give("PLAINTEXT", here)
	require.True(t, q.free("EXTERNAL"))
}

func TestAListenersOwnLimit(t *testing.T) {
	q := quotaOf(t, map[string]string{"listener.name.external.max.connections": "1"})
	q.take("EXTERNAL", here)
	require.False(t, q.free("EXTERNAL"))
	require.True(t, q.free("PLAINTEXT"))
}

func TestLimitsOfAddresses(t *testing.T) {
	q := quotaOf(t, map[string]string{"max.connections.per.ip": "1", "max.connections.per.ip.overrides": "10.0.0.7:2"})
	for _, of := range []struct {
		from  netip.Addr
		limit int
	}{{here, 1}, {there, 2}} {
		for range of.limit {
			_, taken := q.take("EXTERNAL", of.from)
			require.True(t, taken)
		}
		limit, taken := q.take("PLAINTEXT", of.from)
		require.False(t, taken, "whatever the listener")
		require.Equal(t, of.limit, limit)
		q.give("EXTERNAL", of.from)
		_, taken = q.take("PLAINTEXT", of.from)
		require.True(t, taken)
	}
	require.Equal(t, 3, q.total)
}

// However connections come, in no ten seconds and a bit are there more than the
// rate allows.
func TestCreationRate(t *testing.T) {
	const perSecond = 50
	var rate creationRate
	start := time.Unix(1_000_000, 0)
	now := start
	atOnce := 0
	for ; rate.add(perSecond, now) == 0; atOnce++ {
	}
	require.Equal(t, 10*perSecond, atOnce, "after a pause as many as in ten seconds")
	for range 20 * perSecond {
		wait := rate.add(perSecond, now)
		require.Positive(t, wait)
		require.LessOrEqual(t, wait, longestThrottle)
		now = now.Add(wait)
	}
	require.InDelta(t, 20, now.Sub(start).Seconds(), 0.1, "then at the rate")

	now = now.Add(time.Hour)
	for atOnce = 0; rate.add(perSecond, now) == 0; atOnce++ {
	}
	require.Equal(t, 10*perSecond, atOnce, "however long the pause")
	require.Equal(t, longestThrottle, rate.add(0, now))
}

func TestRatesOfTheBrokerAndOfAListener(t *testing.T) {
	q := quotaOf(t, map[string]string{"max.connection.creation.rate": "10", "listener.name.external.max.connection.creation.rate": "1"})
	now := time.Unix(1_000_000, 0)
	for range 10 {
		require.Zero(t, q.delay("EXTERNAL", now))
	}
	require.Positive(t, q.delay("EXTERNAL", now), "its own rate is used up")
	for range 100 {
		require.Zero(t, q.delay("PLAINTEXT", now), "the rate of the broker leaves it out, and it has its own")
	}
	require.Positive(t, q.delay("PLAINTEXT", now))
}
