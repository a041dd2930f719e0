package group

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseTarget(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	for text, want := range map[string]target{
		"earliest": {kind: toEarliest}, "latest": {kind: toLatest}, "current": {kind: toCurrent}, "42": {kind: toOffset, offset: 42},
		"@-15m": {kind: toTime, unixMs: 1_699_999_100_000}, "@42": {kind: toTime, unixMs: 42}, "2023-11-14T22:13:20Z": {kind: toTime, unixMs: 1_700_000_000_000},
	} {
		got, err := parseTarget(text, now)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "-5", "beginning", "-15m", "1.5"} {
		_, err := parseTarget(text, now)
		require.ErrorContains(t, err, "is none of", text)
	}
}

func number(n int64) *int64 { return &n }

// A log from 10 to 20, of which the group has committed 15 or nothing.
func TestWhereAnOffsetGoes(t *testing.T) {
	committed := place{topic: "t", committed: number(15), start: number(10), end: number(20), since: number(17)}
	fresh := committed
	fresh.committed = nil
	for _, c := range []struct {
		name       string
		target     target
		place      place
		after      int64
		difference *int64
		note       string
	}{
		{"earliest", target{kind: toEarliest}, committed, 10, number(-5), ""},
		{"latest", target{kind: toLatest}, committed, 20, number(5), ""},
		{"current", target{kind: toCurrent}, committed, 15, number(0), ""},
		{"current of nothing", target{kind: toCurrent}, fresh, 20, nil, ""},
		{"an offset", target{kind: toOffset, offset: 12}, committed, 12, number(-3), ""},
		{"before the log", target{kind: toOffset, offset: 9}, committed, 10, number(-5), "9 is before the log start"},
		{"after the log", target{kind: toOffset, offset: 21}, fresh, 20, nil, "21 is after the log end"},
		{"a time", target{kind: toTime}, committed, 17, number(2), ""},
		{"forth", target{kind: byShift, shift: 4}, committed, 19, number(4), ""},
		{"too far back", target{kind: byShift, shift: -40}, committed, 10, number(-5), "-25 is before the log start"},
	} {
		m, err := c.target.move("g", c.place)
		require.NoError(t, err, c.name)
		require.Equal(t, move{Group: "g", Topic: "t", Before: c.place.committed, After: c.after, Difference: c.difference, Note: c.note}, m, c.name)
	}
	_, err := target{kind: byShift}.move("g", fresh)
	require.ErrorContains(t, err, "has no offset in partition 0")
	_, err = target{kind: toEarliest}.move("g", place{topic: "t"})
	require.ErrorContains(t, err, "does not exist, or has no leader")
}

func TestParseFile(t *testing.T) {
	entries, err := parseFile([]byte("# saved\n\"a,b\",orders,0,5\norders, 1, 7\n"))
	require.NoError(t, err)
	require.Equal(t, []fileEntry{{"a,b", "orders", 0, 5}, {"", "orders", 1, 7}}, entries)
	entries, err = parseFile([]byte(`  {"executed": false, "partitions": [{"group": "g", "topic": "orders", "partition": 2, "before": null, "after": 3}]}`))
	require.NoError(t, err)
	require.Equal(t, []fileEntry{{"g", "orders", 2, 3}}, entries)
	for _, text := range []string{"orders,0", "orders,x,5", "orders,0,-1", ",0,5", "a,b,c,0,5", "{not json"} {
		_, err := parseFile([]byte(text))
		require.Error(t, err, text)
	}
}
