package guard

import (
	"context"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// listing is a log of which only the segments are asked for.
type listing struct {
	storage.Log
	segments []storage.Segment
}

func (l listing) Segments(context.Context) ([]storage.Segment, error) { return l.segments, nil }

func TestSegmentsAreChecked(t *testing.T) {
	for name, test := range map[string]struct {
		segments []storage.Segment
		wrong    string
	}{
		"in order":       {[]storage.Segment{{Base: 0, End: 5, Bytes: 9}, {Base: 5, End: 5}}, ""},
		"none":           {nil, "no segment"},
		"a gap":          {[]storage.Segment{{Base: 0, End: 5}, {Base: 6, End: 7}}, "a segment at 6 after one that ends at 5"},
		"an overlap":     {[]storage.Segment{{Base: 0, End: 5}, {Base: 4, End: 7}}, "a segment at 4 after one that ends at 5"},
		"a wrong end":    {[]storage.Segment{{Base: 5, End: 4}}, "a segment from 5 to 4"},
		"negative bytes": {[]storage.Segment{{Bytes: -1}}, "of -1 bytes"},
	} {
		log := &meteredLog{Log: listing{segments: test.segments}, meter: newMeter(hclog.NewNullLogger(), clock.Real())}
		got, err := log.Segments(t.Context())
		if test.wrong == "" {
			require.NoError(t, err, name)
			require.Equal(t, test.segments, got)
			continue
		}
		require.ErrorContains(t, err, test.wrong, name)
		require.Equal(t, module.Fatal, module.ClassOf(err))
		require.EqualValues(t, 1, log.meter.errors.Load(), "it is counted")
	}
}
