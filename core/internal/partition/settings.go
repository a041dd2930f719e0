package partition

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"time"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

// settings is the configuration of a topic in the form that a partition uses.
// It does not change: another configuration is another value.
type settings struct {
	rules rules
	// flushMessages is flush.messages, flushMs is flush.ms.
	flushMessages, flushMs int64
	retention              retention
	compaction             compaction
	// levels are those of the codecs, for compaction.
	levels levels
	// expireMs is producer.id.expiration.ms, which is the broker's.
	expireMs int64
	// log is that of a log without jitter, jitterMs segment.jitter.ms.
	log      storage.Config
	jitterMs int64
}

func (h *host) settingsOf(b *config.Broker, t config.Topic) *settings {
	return &settings{
		rules: rules{
			maxBytes:      t.MaxMessageBytes,
			segmentBytes:  t.SegmentBytes,
			logAppendTime: t.TimestampType == "LogAppendTime",
			beforeMaxMs:   t.TimestampBeforeMaxMs,
			afterMaxMs:    t.TimestampAfterMaxMs,
			compacted:     slices.Contains(t.CleanupPolicy, "compact"),
			compression:   compressionOf(t),
			codecs:        h.codecs,
			budget:        int(t.MaxDecompressedBytes),
		},
		flushMessages: t.FlushMessages,
		flushMs:       t.FlushMs,
		retention:     retentionOf(t),
		compaction:    compactionOf(b, t),
		levels:        levelsOf(t),
		expireMs:      b.ProducerIDExpiration.Milliseconds(),
		log: storage.Config{
			SegmentBytes: t.SegmentBytes, SegmentMs: segmentMs(t), SegmentIndexBytes: t.SegmentIndexBytes,
			IndexIntervalBytes: t.IndexIntervalBytes, FileDeleteDelayMs: t.FileDeleteDelayMs, Preallocate: t.Preallocate,
		},
		jitterMs: t.SegmentJitterMs,
	}
}

// logOf is the configuration of one log. Its part of segment.jitter.ms comes from
// its name, and so is the same after each start and each change.
func (s *settings) logOf(id storage.ID) storage.Config {
	c := s.log
	if most := min(s.jitterMs, c.SegmentMs); most > 0 {
		name := fnv.New64a()
		name.Write(binary.BigEndian.AppendUint32(id.TopicID[:], uint32(id.Partition)))
		c.SegmentMs -= int64(name.Sum64() % uint64(most))
	}
	return c
}

// segmentMs is segment.ms, or max.compaction.lag.ms if that is sooner: only
// closed segments are compacted.
func segmentMs(t config.Topic) int64 {
	if slices.Contains(t.CleanupPolicy, "compact") {
		return min(t.SegmentMs, t.MaxCompactionLagMs)
	}
	return t.SegmentMs
}

// milliseconds is the duration of a setting, or the longest that there is.
func milliseconds(ms int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(ms, most)) * time.Millisecond
}
