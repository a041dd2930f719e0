package partition

import (
	"math"
	"slices"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

// compaction is what the configuration says about how a log is compacted: of
// each key, the newest record is kept.
type compaction struct {
	// compacts says that cleanup.policy has compact, and log.cleaner.enable.
	compacts bool
	// ratio is min.cleanable.dirty.ratio.
	ratio float64
	// minLagMs is min.compaction.lag.ms, maxLagMs is max.compaction.lag.ms, and
	// deleteRetentionMs is delete.retention.ms.
	minLagMs, maxLagMs, deleteRetentionMs int64
	// segmentBytes is segment.bytes.
	segmentBytes int64
	// keys is how many keys one pass can have new records of.
	keys int
	// backoffMs is log.cleaner.backoff.ms.
	backoffMs int64
}

// keyBytes is what the newest offset of a key takes in memory.
const keyBytes = 64

func compactionOf(b *config.Broker, t config.Topic) compaction {
	return compaction{
		compacts: b.Cleaner.Enable && slices.Contains(t.CleanupPolicy, "compact"),
		ratio:    t.MinCleanableRatio, minLagMs: t.MinCompactionLagMs, maxLagMs: t.MaxCompactionLagMs,
		deleteRetentionMs: t.DeleteRetentionMs, segmentBytes: t.SegmentBytes,
		keys: int(max(1, b.Cleaner.DedupeBufferSize/keyBytes)), backoffMs: b.Cleaner.Backoff.Milliseconds(),
	}
}

// compacted is how far a log has been compacted.
type compacted struct {
	// dirty is the first offset that no pass has seen.
	dirty int64
	// horizonMs is when the first tombstone that was kept may go, in
	// milliseconds; math.MaxInt64 if there is none.
	horizonMs int64
	// unsupported says that the storage engine cannot rewrite segments.
	unsupported bool
}

// pass is what compaction does to a log now.
type pass struct {
	// upTo is the first offset that stays out of it; 0 if there is no pass.
	upTo int64
	// nextMs is when to look again though no segment is rolled, in milliseconds;
	// math.MaxInt64 for never.
	nextMs int64
}

// plan decides whether a log is compacted now, by Kafka's rules: only closed
// segments below the high watermark are, none that has a record younger than
// min.compaction.lag.ms; and only if enough of it is new, or the oldest of what
// is new, of firstMs, has waited for max.compaction.lag.ms. Besides, tombstones
// go once they may, also from a log that nobody writes to.
func (c compaction) plan(l logState, done compacted, firstMs, nowMs int64) pass {
	next := pass{nextMs: done.horizonMs}
	var cleanBytes, dirtyBytes, end int64
	for _, s := range l.segments[:max(len(l.segments)-1, 0)] {
		if s.End > l.visible {
			next.nextMs = min(next.nextMs, saturatingAdd(nowMs, c.backoffMs))
			break
		}
		if s.End <= done.dirty {
			cleanBytes, end = cleanBytes+s.Bytes, s.End
			continue
		}
		if ripe := saturatingAdd(max(s.MaxTimestamp, 0), c.minLagMs); c.minLagMs > 0 && ripe > nowMs {
			next.nextMs = min(next.nextMs, ripe)
			break
		}
		dirtyBytes, end = dirtyBytes+s.Bytes, s.End
	}
	enough := float64(dirtyBytes) > c.ratio*float64(cleanBytes+dirtyBytes)
	if overdue := saturatingAdd(max(firstMs, 0), c.maxLagMs); dirtyBytes > 0 && !enough {
		enough = overdue < nowMs
		next.nextMs = min(next.nextMs, saturatingAdd(overdue, 1))
	}
	if dirtyBytes > 0 && enough || end > 0 && done.horizonMs <= nowMs {
		next.upTo = end
	}
	return next
}

// groups parts the segments that begin below upTo into runs, each of which
// becomes one segment: what they hold now fits into it.
func (c compaction) groups(segments []storage.Segment, upTo int64) [][]storage.Segment {
	var groups [][]storage.Segment
	var bytes int64
	for _, s := range segments {
		if s.Base >= upTo {
			break
		}
		last := len(groups) - 1
		if bytes += s.Bytes; last < 0 || bytes > c.segmentBytes || s.End-1-groups[last][0].Base > math.MaxInt32 {
			groups, bytes = append(groups, nil), s.Bytes
			last++
		}
		groups[last] = append(groups[last], s)
	}
	return groups
}
