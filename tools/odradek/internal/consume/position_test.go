package consume

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParsePosition(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	for text, want := range map[string]position{
		"beginning":                 {kind: beginning},
		"end":                       {kind: end},
		"0":                         {kind: exact},
		"42":                        {kind: exact, offset: 42},
		"-10":                       {kind: tail, records: 10},
		"@1700000000123":            {kind: timestamp, unixMs: 1_700_000_000_123},
		"@-15m":                     {kind: timestamp, unixMs: 1_699_999_100_000},
		"2023-11-14T22:13:20Z":      {kind: timestamp, unixMs: 1_700_000_000_000},
		"@2023-11-14T22:13:20.5Z":   {kind: timestamp, unixMs: 1_700_000_000_500},
		"2023-11-14T23:13:20+01:00": {kind: timestamp, unixMs: 1_700_000_000_000},
	} {
		got, err := parsePosition(text, now)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "start", "@", "@yesterday", "4.2", "0x10", "@-"} {
		_, err := parsePosition(text, now)
		require.ErrorContains(t, err, "none of", text)
	}
}
