package partition

import (
	"math"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
)

// mostWrong is how many records of one batch are told to be wrong: the answer
// must not be many times longer than what it is about.
const mostWrong = 1000

const (
	noKey         = "the record has no key, which a compacted topic needs"
	outOfTime     = "the timestamp is further from the broker's clock than message.timestamp.before.max.ms or message.timestamp.after.max.ms allows"
	clientsAppend = "the batch has the timestamp type LogAppendTime, which only the broker gives"
)

// recordCheck goes over the records of one batch.
type recordCheck struct {
	rules *rules
	batch record.Batch
	// Timestamps from earliest to latest are allowed.
	earliest, latest int64

	index   int32
	largest int64
	// wrong are the records to be refused, kind is for which fault.
	wrong []refusal.Record
	kind  *kerr.Error
	// misplaced is the first record that has not the next offset; -1 if all have.
	misplaced int32
}

// checkRecords checks every record of a batch, whose records are given as they
// are without compression, and returns their largest timestamp.
func (r *rules) checkRecords(b record.Batch, records []byte, nowMs int64) (largest int64, refused *refusal.Refusal) {
	c := recordCheck{
		rules: r, batch: b, earliest: nowMs - r.beforeMaxMs, latest: saturatingAdd(nowMs, r.afterMaxMs), largest: -1, misplaced: -1,
	}
	err := record.Walk(records, b.RecordCount(), func(rec record.Record) error {
		c.look(&rec)
		return nil
	})
	switch {
	case err != nil:
		return 0, refusal.New(kerr.InvalidRecord, "%v", err)
	case c.misplaced >= 0:
		// Kafka stores such a batch, or numbers its records anew if it is
		// compressed. No client that we know of sends one, and offsets that are not
		// those of the batch would mislead all that read it.
		return 0, refusal.New(kerr.InvalidRecord, "record %d of the batch has another offset delta than %d", c.misplaced, c.misplaced)
	case c.kind != nil:
		return 0, refusal.AtRecords(c.kind, c.wrong, "%d records or more are wrong; the first is record %d: %s",
			len(c.wrong), c.wrong[0].Index, c.wrong[0].Message)
	}
	return c.largest, nil
}

func (c *recordCheck) look(rec *record.Record) {
	if rec.OffsetDelta != c.index && c.misplaced < 0 {
		c.misplaced = c.index
	}
	ms := c.batch.BaseTimestamp() + rec.TimestampDelta
	if c.batch.LogAppendTime() {
		ms = c.batch.MaxTimestamp()
	}
	c.largest = max(c.largest, ms)
	switch {
	case c.rules.compacted && rec.Key == nil:
		c.refuse(kerr.InvalidRecord, noKey)
	case !c.rules.logAppendTime && ms != -1:
		if ms < c.earliest || ms > c.latest {
			c.refuse(kerr.InvalidTimestamp, outOfTime)
		}
	case c.batch.LogAppendTime():
		c.refuse(kerr.InvalidTimestamp, clientsAppend)
	}
	c.index++
}

// refuse takes note of the record. One with a wrong timestamp makes the batch
// refused for that.
func (c *recordCheck) refuse(kind *kerr.Error, message string) {
	if c.kind != kerr.InvalidTimestamp {
		c.kind = kind
	}
	if len(c.wrong) < mostWrong {
		c.wrong = append(c.wrong, refusal.Record{Index: c.index, Message: message})
	}
}

func saturatingAdd(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}
