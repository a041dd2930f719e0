package moment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	for text, want := range map[string]int64{
		"@0": 0, "@1700000000123": 1_700_000_000_123, "@-15m": 1_699_999_100_000, "@1h": 1_700_003_600_000,
		"2023-11-14T22:13:20Z": 1_700_000_000_000, "@2023-11-14T22:13:20.5Z": 1_700_000_000_500, "2023-11-14T23:13:20+01:00": 1_700_000_000_000,
	} {
		got, ok := Parse(text, now)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "@", "@-5", "-15m", "1700000000123", "2023-11-14", "yesterday"} {
		_, ok := Parse(text, now)
		require.False(t, ok, text)
	}
}
