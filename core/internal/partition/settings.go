package partition

import (
	"slices"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

// settings is the configuration of a topic in the form that a partition uses.
// It does not change: another configuration is another value.
type settings struct {
	rules rules
	// flushMessages is flush.messages, flushMs is flush.ms.
	flushMessages, flushMs int64
	log                    storage.Config
}

func (h *host) settingsOf(t config.Topic) *settings {
	return &settings{
		rules: rules{
			maxBytes:      t.MaxMessageBytes,
			segmentBytes:  t.SegmentBytes,
			logAppendTime: t.TimestampType == "LogAppendTime",
			beforeMaxMs:   t.TimestampBeforeMaxMs,
			afterMaxMs:    t.TimestampAfterMaxMs,
			compacted:     slices.Contains(t.CleanupPolicy, "compact"),
			decompress:    h.Decompress,
			budget:        h.decompressionBudget(),
		},
		flushMessages: t.FlushMessages,
		flushMs:       t.FlushMs,
		log: storage.Config{
			SegmentBytes: t.SegmentBytes, SegmentMs: t.SegmentMs, SegmentIndexBytes: t.SegmentIndexBytes,
			IndexIntervalBytes: t.IndexIntervalBytes, FileDeleteDelayMs: t.FileDeleteDelayMs, Preallocate: t.Preallocate,
		},
	}
}

func (h *host) decompressionBudget() int { return int(h.Config.MaxDecompressedBytes) }
