package partition

import (
	"math"
	"slices"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

// retention is what a topic's configuration says about how much of a log is
// kept.
type retention struct {
	// deletes says that cleanup.policy has delete: ms and bytes act.
	deletes bool
	// keepsRecords says that cleanup.policy has compact alone: clients may not
	// delete records either, since a key's last value is to be found for ever.
	keepsRecords bool
	// ms is retention.ms and bytes is retention.bytes, below 0 for no limit.
	ms, bytes int64
}

func retentionOf(t config.Topic) retention {
	deletes := slices.Contains(t.CleanupPolicy, "delete")
	return retention{
		deletes: deletes, keepsRecords: !deletes && slices.Contains(t.CleanupPolicy, "compact"),
		ms: t.RetentionMs, bytes: t.RetentionBytes,
	}
}

// logState is what of a log retention looks at.
type logState struct {
	// segments are not empty, and ascend.
	segments []storage.Segment
	// start is the log start offset, visible the high watermark.
	start, visible int64
}

// expiry is what retention does to a log.
type expiry struct {
	// segments is how many go, from the first on.
	segments int
	// start is where the log begins then: where a segment does, unless clients
	// deleted records further on. It is at most the high watermark.
	start int64
	// roll says that the active segment goes too, and another one has to be
	// begun before.
	roll bool
	// nextMs is when the first segment that is left will be too old, in
	// milliseconds; math.MaxInt64 for never.
	nextMs int64
}

// apply decides which segments go now. They are Kafka's rules: segments go as a
// whole and from the first on, none that has records above the high watermark,
// and one is as old as its newest record. So a record with a time to come keeps
// its segment and all that follow: how far that can be is bounded where records
// come in, by message.timestamp.after.max.ms.
func (r retention) apply(l logState, nowMs int64) expiry {
	gone := 0
	for gone+1 < len(l.segments) && l.mayGo(gone) && l.segments[gone].End <= l.start {
		gone++
	}
	if r.deletes && r.bytes >= 0 {
		excess := -r.bytes
		for _, s := range l.segments[gone:] {
			excess += s.Bytes
		}
		for l.mayGo(gone) && excess >= l.segments[gone].Bytes {
			excess -= l.segments[gone].Bytes
			gone++
		}
	}
	for r.deletes && l.mayGo(gone) && r.expired(l.segments[gone], nowMs) {
		gone++
	}
	e := expiry{segments: gone, start: l.start, roll: gone == len(l.segments), nextMs: math.MaxInt64}
	if gone > 0 {
		e.start = max(l.start, l.segments[gone-1].End)
	}
	if r.deletes && l.mayGo(gone) {
		e.nextMs = r.expires(l.segments[gone])
	}
	return e
}

// mayGo says whether segment i is there, is whole below the high watermark, and
// is not the empty one that the next append goes to.
func (l *logState) mayGo(i int) bool {
	if i >= len(l.segments) || l.segments[i].End > l.visible {
		return false
	}
	return i+1 < len(l.segments) || l.segments[i].Bytes > 0
}

func (r retention) expired(s storage.Segment, nowMs int64) bool { return nowMs >= r.expires(s) }

// expires is the first millisecond at which s is too old. One of which nothing
// is known is never.
func (r retention) expires(s storage.Segment) int64 {
	if r.ms < 0 || s.MaxTimestamp < 0 || s.MaxTimestamp >= math.MaxInt64-r.ms {
		return math.MaxInt64
	}
	return s.MaxTimestamp + r.ms + 1
}
