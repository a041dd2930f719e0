package supervise

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// life is how long a process lived before it died; the clock also stands still
// for the delays in between.
func transcript(p Policy, lives []time.Duration, jitter float64) string {
	now := time.Unix(0, 0)
	var h history
	var out strings.Builder
	for i, lived := range lives {
		now = now.Add(lived)
		var v verdict
		h, v = p.died(h, now, lived, jitter)
		state := "restart"
		if v.quarantine {
			state = "quarantine"
		}
		fmt.Fprintf(&out, "%2d at %7v lived %5v: %s in %v\n", i+1, now.Sub(time.Unix(0, 0)), lived, state, v.delay)
		now = now.Add(v.delay)
	}
	return out.String()
}

func TestPolicyTranscripts(t *testing.T) {
	const m, s = time.Minute, time.Second
	cases := map[string]struct {
		lives  []time.Duration
		jitter float64
		want   string
	}{
		"dies at once": {lives: make([]time.Duration, 12), want: `
 1 at      0s lived    0s: restart in 0s
 2 at      0s lived    0s: restart in 100ms
 3 at   100ms lived    0s: restart in 200ms
 4 at   300ms lived    0s: restart in 400ms
 5 at   700ms lived    0s: restart in 800ms
 6 at    1.5s lived    0s: restart in 1.6s
 7 at    3.1s lived    0s: restart in 3.2s
 8 at    6.3s lived    0s: restart in 6.4s
 9 at   12.7s lived    0s: restart in 12.8s
10 at   25.5s lived    0s: quarantine in 5m0s
11 at 5m25.5s lived    0s: quarantine in 5m0s
12 at 10m25.5s lived    0s: quarantine in 5m0s
`},
		"dies now and then": {lives: []time.Duration{10 * m, 10 * m, s, 10 * m}, want: `
 1 at   10m0s lived 10m0s: restart in 0s
 2 at   20m0s lived 10m0s: restart in 0s
 3 at   20m1s lived    1s: restart in 100ms
 4 at 30m1.1s lived 10m0s: restart in 0s
`},
		"dies each minute": {lives: []time.Duration{m, m, m, m, m, m, m, m, m, m, m}, want: `
 1 at    1m0s lived  1m0s: restart in 0s
 2 at    2m0s lived  1m0s: restart in 0s
 3 at    3m0s lived  1m0s: restart in 0s
 4 at    4m0s lived  1m0s: restart in 0s
 5 at    5m0s lived  1m0s: restart in 0s
 6 at    6m0s lived  1m0s: restart in 0s
 7 at    7m0s lived  1m0s: restart in 0s
 8 at    8m0s lived  1m0s: restart in 0s
 9 at    9m0s lived  1m0s: restart in 0s
10 at   10m0s lived  1m0s: restart in 0s
11 at   11m0s lived  1m0s: restart in 0s
`},
		"recovers from quarantine": {lives: []time.Duration{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, s, 2 * m, s}, jitter: 0.5, want: `
 1 at      0s lived    0s: restart in 0s
 2 at      0s lived    0s: restart in 75ms
 3 at    75ms lived    0s: restart in 150ms
 4 at   225ms lived    0s: restart in 300ms
 5 at   525ms lived    0s: restart in 600ms
 6 at  1.125s lived    0s: restart in 1.2s
 7 at  2.325s lived    0s: restart in 2.4s
 8 at  4.725s lived    0s: restart in 4.8s
 9 at  9.525s lived    0s: restart in 9.6s
10 at 19.125s lived    0s: quarantine in 3m45s
11 at 4m5.125s lived    1s: quarantine in 3m45s
12 at 9m50.125s lived  2m0s: restart in 0s
13 at 9m51.125s lived    1s: restart in 75ms
`},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, strings.TrimPrefix(test.want, "\n"), transcript(DefaultPolicy(), test.lives, test.jitter))
		})
	}
}

func TestDelayIsCapped(t *testing.T) {
	p := DefaultPolicy()
	for n := range 200 {
		require.LessOrEqual(t, p.delay(n), p.MaxDelay)
		require.GreaterOrEqual(t, p.delay(n+1), p.delay(n))
	}
	require.Equal(t, p.MaxDelay, p.delay(200))
}
