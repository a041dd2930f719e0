package partition

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

// segmentsOf makes segments of ten records and a hundred bytes with the given
// largest timestamps, and an empty one if the last is 0.
func segmentsOf(timestamps ...int64) []storage.Segment {
	var all []storage.Segment
	for i, ms := range timestamps {
		s := storage.Segment{Base: int64(i) * 10, End: int64(i+1) * 10, Bytes: 100, MaxTimestamp: ms}
		if ms == 0 {
			s.End, s.Bytes, s.MaxTimestamp = s.Base, 0, -1
		}
		all = append(all, s)
	}
	return all
}

func TestRetention(t *testing.T) {
	const now, never = 10_000, math.MaxInt64
	byTime := retention{deletes: true, ms: 1000, bytes: -1}
	bySize := func(bytes int64) retention { return retention{deletes: true, ms: -1, bytes: bytes} }
	tests := map[string]struct {
		r        retention
		segments []storage.Segment
		// start is the log start offset; visible is the end if it is 0.
		start, visible int64
		want           expiry
	}{
		"nothing in the log": {byTime, segmentsOf(0), 0, 0, expiry{0, 0, false, never}},

		"the older ones are too old":       {byTime, segmentsOf(8000, 8999, 9000, 9500), 0, 0, expiry{2, 20, false, 10_001}},
		"just old enough":                  {byTime, segmentsOf(9000, 9500), 0, 0, expiry{0, 0, false, 10_001}},
		"all are too old":                  {byTime, segmentsOf(8000, 8001), 0, 0, expiry{2, 20, true, never}},
		"all but the empty one":            {byTime, segmentsOf(8000, 8001, 0), 0, 0, expiry{2, 20, false, never}},
		"a newer one keeps what follows":   {byTime, segmentsOf(8000, 9500, 8000, 9600), 0, 0, expiry{1, 10, false, 10_501}},
		"a time to come keeps all":         {byTime, segmentsOf(4_102_444_800_000, 8000, 9500), 0, 0, expiry{0, 0, false, 4_102_444_801_001}},
		"the last moment there is":         {byTime, segmentsOf(math.MaxInt64, 8000), 0, 0, expiry{0, 0, false, never}},
		"the beginning of time":            {byTime, segmentsOf(1, 1, 9500), 0, 0, expiry{2, 20, false, 10_501}},
		"no time is never too old":         {byTime, segmentsOf(-1, 8000), 0, 0, expiry{0, 0, false, never}},
		"kept for ever":                    {retention{deletes: true, ms: -1, bytes: -1}, segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"kept for as long as can be said":  {retention{deletes: true, ms: math.MaxInt64, bytes: -1}, segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"kept for no time":                 {retention{deletes: true, ms: 0, bytes: -1}, segmentsOf(9999, 10_000), 0, 0, expiry{1, 10, false, 10_001}},
		"the policy is to compact":         {retention{ms: 1000, bytes: 0}, segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"the high watermark is behind":     {byTime, segmentsOf(1, 1, 1), 0, 19, expiry{1, 10, false, never}},
		"the high watermark is at a base":  {byTime, segmentsOf(1, 1, 1), 0, 20, expiry{2, 20, false, never}},
		"the active one is not visible":    {byTime, segmentsOf(1, 1), 0, 19, expiry{1, 10, false, never}},
		"the start is within a segment":    {byTime, segmentsOf(8000, 8000, 9500), 15, 0, expiry{2, 20, false, 10_501}},
		"the start is further than that":   {byTime, segmentsOf(8000, 9500), 14, 0, expiry{1, 14, false, 10_501}},
		"below the start, for any policy":  {retention{ms: -1, bytes: -1}, segmentsOf(9999, 9999, 9999), 20, 0, expiry{2, 20, false, never}},
		"clients deleted all":              {byTime, segmentsOf(9999, 9999), 20, 0, expiry{1, 20, false, 11_000}},
		"clients deleted all, and it ages": {byTime, segmentsOf(8000, 8000), 20, 0, expiry{2, 20, true, never}},
		"clients deleted all, and rolled":  {retention{ms: -1, bytes: -1}, segmentsOf(9999, 0), 10, 0, expiry{1, 10, false, never}},

		"too large by less than a segment": {bySize(101), segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"too large by a segment":           {bySize(100), segmentsOf(1, 1), 0, 0, expiry{1, 10, false, never}},
		"too large by more":                {bySize(150), segmentsOf(1, 1, 1, 1), 0, 0, expiry{2, 20, false, never}},
		"too large, but not visible":       {bySize(0), segmentsOf(1, 1, 1), 0, 15, expiry{1, 10, false, never}},
		"no byte is kept":                  {bySize(0), segmentsOf(1, 1), 0, 0, expiry{2, 20, true, never}},
		"any size":                         {bySize(math.MinInt64), segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"the largest size":                 {bySize(math.MaxInt64), segmentsOf(1, 1), 0, 0, expiry{0, 0, false, never}},
		"what is below the start is no size": {
			bySize(200), segmentsOf(1, 1, 1, 1), 20, 0, expiry{2, 20, false, never}},
		"size goes first, age goes on": {
			retention{deletes: true, ms: 1000, bytes: 350}, segmentsOf(9900, 8000, 8000, 9500), 0, 0, expiry{0, 0, false, 10_901}},
		"size frees the way for age": {
			retention{deletes: true, ms: 1000, bytes: 300}, segmentsOf(9900, 8000, 8000, 9500), 0, 0, expiry{3, 30, false, 10_501}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := logState{segments: test.segments, start: test.start, visible: test.visible}
			if l.visible == 0 {
				l.visible = l.segments[len(l.segments)-1].End
			}
			require.Equal(t, test.want, test.r.apply(l, now))
			if test.want.nextMs < never {
				require.Zero(t, test.r.apply(logState{l.segments[test.want.segments:], test.want.start, l.visible}, test.want.nextMs-1).segments)
				require.NotZero(t, test.r.apply(logState{l.segments[test.want.segments:], test.want.start, l.visible}, test.want.nextMs).segments)
			}
		})
	}
}

func TestRetentionOfPolicies(t *testing.T) {
	for policy, want := range map[string]retention{
		"delete":         {deletes: true, ms: 5, bytes: 6},
		"compact":        {keepsRecords: true, ms: 5, bytes: 6},
		"compact,delete": {deletes: true, ms: 5, bytes: 6},
		"":               {ms: 5, bytes: 6},
	} {
		b := config.Default()
		topic, err := config.ResolveTopic(&b, map[string]string{"cleanup.policy": policy, "retention.ms": "5", "retention.bytes": "6"})
		require.NoError(t, err)
		require.Equal(t, want, retentionOf(topic), "policy %q", policy)
	}
}
