package config

import "math"

// Topic configs about what is kept for how long.
func topicRetentionKeys() []key[Topic] {
	return []key[Topic]{
		define(Definition{
			Name: "retention.ms", Default: "604800000", HasDefault: true,
			Synonyms: []string{"log.retention.ms", "log.retention.minutes", "log.retention.hours"},
			Doc:      "Milliseconds for which records are kept under the policy delete; -1 for ever.",
		}, long(-1, math.MaxInt64), func(t *Topic) *int64 { return &t.RetentionMs }),
		define(Definition{
			Name: "retention.bytes", Default: "-1", HasDefault: true, Synonyms: []string{"log.retention.bytes"},
			Doc: "Size in bytes to which a partition's log may grow under the policy delete; -1 for any.",
		}, long(math.MinInt64, math.MaxInt64), func(t *Topic) *int64 { return &t.RetentionBytes }),
		define(Definition{
			Name: "cleanup.policy", Default: "delete", HasDefault: true, Synonyms: []string{"log.cleanup.policy"},
			Doc: "What happens to old records: delete, compact, both, or neither if empty.",
		}, listOf("a list of compact and delete, each at most once", "compact", "delete"),
			func(t *Topic) *[]string { return &t.CleanupPolicy }),
		define(Definition{
			Name: "delete.retention.ms", Default: "86400000", HasDefault: true, Synonyms: []string{"log.cleaner.delete.retention.ms"},
			Doc: "Milliseconds for which tombstones are kept in a compacted topic once it was compacted.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.DeleteRetentionMs }),
		define(Definition{
			Name: "min.compaction.lag.ms", Default: "0", HasDefault: true, Synonyms: []string{"log.cleaner.min.compaction.lag.ms"},
			Doc: "Milliseconds for which a record is safe from compaction.",
		}, long(0, math.MaxInt64),
			func(t *Topic) *int64 { return &t.MinCompactionLagMs }),
		define(Definition{
			Name: "max.compaction.lag.ms", Default: maxLong, HasDefault: true, Synonyms: []string{"log.cleaner.max.compaction.lag.ms"},
			Doc: "Milliseconds after which a record must have been seen by compaction.",
		}, long(1, math.MaxInt64),
			func(t *Topic) *int64 { return &t.MaxCompactionLagMs }),
		define(Definition{
			Name: "min.cleanable.dirty.ratio", Default: "0.5", HasDefault: true, Synonyms: []string{"log.cleaner.min.cleanable.ratio"},
			Doc: "Part of a log that has to be new before it is compacted.",
		}, fraction(0, 1), func(t *Topic) *float64 { return &t.MinCleanableRatio }),
	}
}
