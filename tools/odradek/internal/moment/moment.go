// Package moment reads points in time as people write them on a command line.
package moment

import (
	"strconv"
	"strings"
	"time"
)

// Forms is what [Parse] reads, for messages.
const Forms = "a time (2026-01-31T12:00:00Z), @milliseconds since 1970, @-15m"

// Parse reads a time, @milliseconds since 1970, or @-15m, which counts from
// now. It reports false if the text is none of these.
func Parse(text string, now time.Time) (unixMs int64, ok bool) {
	at, marked := strings.CutPrefix(text, "@")
	if marked {
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil && ms >= 0 {
			return ms, true
		}
		if ago, err := time.ParseDuration(at); err == nil {
			return now.Add(ago).UnixMilli(), true
		}
	}
	if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
		return t.UnixMilli(), true
	}
	return 0, false
}
