package config

import "math"

// Topic configs about segments, indexes and flushing (kafka/LogConfig).
func topicLogKeys() []key[Topic] {
	return []key[Topic]{
		define(Definition{
			Name: "segment.bytes", Default: "1073741824", HasDefault: true, Synonyms: []string{"log.segment.bytes"},
			Doc: "Size in bytes at which a segment file is full and another begins.",
		}, integerAsLong(1<<20, math.MaxInt32), func(t *Topic) *int64 { return &t.SegmentBytes }),
		define(Definition{
			Name: "segment.ms", Default: "604800000", HasDefault: true, Synonyms: []string{"log.roll.ms", "log.roll.hours"},
			Doc: "Age in milliseconds at which another segment begins even if this one is not full.",
		}, long(1, math.MaxInt64), func(t *Topic) *int64 { return &t.SegmentMs }),
		define(Definition{
			Name: "segment.jitter.ms", Default: "0", HasDefault: true, Synonyms: []string{"log.roll.jitter.ms", "log.roll.jitter.hours"},
			Doc: "Most milliseconds taken off segment.ms, for each partition another part of them, so that segments do not all roll at once.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.SegmentJitterMs }),
		define(Definition{
			Name: "segment.index.bytes", Default: "10485760", HasDefault: true, Synonyms: []string{"log.index.size.max.bytes"},
			Doc: "Largest size in bytes of a segment's offset index and of its time index.",
		}, integerAsLong(4, math.MaxInt32), func(t *Topic) *int64 { return &t.SegmentIndexBytes }),
		define(Definition{
			Name: "index.interval.bytes", Default: "4096", HasDefault: true, Synonyms: []string{"log.index.interval.bytes"},
			Doc: "Bytes of log between two entries of the offset index.",
		}, integerAsLong(0, math.MaxInt32), func(t *Topic) *int64 { return &t.IndexIntervalBytes }),
		define(Definition{
			Name: "file.delete.delay.ms", Default: "60000", HasDefault: true, Synonyms: []string{"log.segment.delete.delay.ms"},
			Doc: "Milliseconds that a removed segment's file stays, renamed, before it is deleted.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.FileDeleteDelayMs }),
		define(Definition{
			Name: "preallocate", Default: "false", HasDefault: true, Synonyms: []string{"log.preallocate"},
			Doc: "Whether a new segment's file gets its full size at once.",
		}, boolean(), func(t *Topic) *bool { return &t.Preallocate }),
		define(Definition{
			Name: "flush.messages", Default: maxLong, HasDefault: true, Synonyms: []string{"log.flush.interval.messages"},
			Doc: "Number of records after which a log is synced to the disk.",
		}, long(1, math.MaxInt64), func(t *Topic) *int64 { return &t.FlushMessages }),
		define(Definition{
			Name: "flush.ms", Default: maxLong, HasDefault: true,
			Synonyms: []string{"log.flush.interval.ms", "log.flush.scheduler.interval.ms"},
			Doc:      "Milliseconds after which a log is synced to the disk.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.FlushMs }),
	}
}

const maxLong = "9223372036854775807"
