package partition

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

func usualRules() rules {
	return rules{
		maxBytes: 1 << 20, segmentBytes: 1 << 30, beforeMaxMs: math.MaxInt64, afterMaxMs: 3_600_000,
		codecs: newCodecs(Options{Decompress: reverse, Compress: reverseBack}), budget: 1 << 20,
	}
}

// patch changes a field of a batch, and the checksum with it.
func patch(b record.Batch, at int, bytes ...byte) record.Batch {
	copy(b[at:], bytes)
	b.SetCRC()
	return b
}

func three() record.Batch {
	return recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, nowMs)})
}

// flawed is a batch in which one thing is not as the usual rules, or those, want
// it, and the error for it; nil if it is to be taken all the same.
type flawed struct {
	batch []byte
	rules func(*rules)
	want  *kerr.Error
	// records are those that are wrong.
	records []int32
}

func requireFlaws(t *testing.T, flaws map[string]flawed) {
	t.Helper()
	for name, flaw := range flaws {
		t.Run(name, func(t *testing.T) {
			r := usualRules()
			if flaw.rules != nil {
				flaw.rules(&r)
			}
			checked, refused := r.check(flaw.batch, nowMs)
			if flaw.want == nil {
				require.Nil(t, refused)
				require.NotZero(t, checked.records)
				return
			}
			require.NotNil(t, refused)
			require.Equal(t, flaw.want, refused.Kind, refused.Message)
			var wrong []int32
			for _, one := range refused.Records {
				wrong = append(wrong, one.Index)
			}
			require.Equal(t, flaw.records, wrong)
		})
	}
}

func compressed(records []recordtest.Record) record.Batch {
	return recordtest.Batch(recordtest.Spec{Records: records, Codec: 4, Compress: reversed})
}

func TestHeaderIsWrong(t *testing.T) {
	requireFlaws(t, map[string]flawed{
		"right":                  {batch: three()},
		"right and compressed":   {batch: compressed(recordtest.Numbered(3, nowMs))},
		"without a timestamp":    {batch: recordtest.Batch(recordtest.Spec{Records: recordtest.Values(-1, "a")})},
		"nothing":                {batch: nil, want: kerr.InvalidRecord},
		"header only in part":    {batch: three()[:40], want: kerr.CorruptMessage},
		"cut off":                {batch: three()[:len(three())-1], want: kerr.CorruptMessage},
		"bytes behind":           {batch: append(three(), 0), want: kerr.CorruptMessage},
		"length is negative":     {batch: patch(three(), 8, 0xff, 0xff, 0xff, 0xff), want: kerr.CorruptMessage},
		"length is too small":    {batch: patch(three(), 8, 0, 0, 0, 10), want: kerr.CorruptMessage},
		"length and base offset": {batch: patch(patch(three(), 8, 0, 0, 0, 48), 7, 9), want: kerr.InvalidRecord},
		"magic 1":                {batch: patch(three(), 16, 1), want: kerr.InvalidRecord},
		"magic 3":                {batch: patch(three(), 16, 3), want: kerr.CorruptMessage},
		"magic -1":               {batch: patch(three(), 16, 0xff), want: kerr.CorruptMessage},
		"checksum":               {batch: flip(three(), len(three())-1), want: kerr.CorruptMessage},
		"control bit":            {batch: patch(three(), 22, 0x20), want: kerr.InvalidRecord},
		"delete horizon bit":     {batch: patch(three(), 22, 0x40)},
		"codec 5":                {batch: patch(three(), 22, 5), want: kerr.UnsupportedCompressionType},
		"LogAppendTime bit":      {batch: patch(three(), 22, 0x08)},
		"LogAppendTime bit, no timestamp": {
			batch: patch(recordtest.Batch(recordtest.Spec{Records: recordtest.Values(-1, "a")}), 22, 0x08), want: kerr.InvalidTimestamp, records: []int32{0},
		},
		"LogAppendTime bit, where the broker sets it": {
			batch: patch(three(), 22, 0x08), rules: func(r *rules) { r.logAppendTime = true }, want: kerr.InvalidTimestamp, records: []int32{0, 1, 2},
		},
	})
}

func TestContentIsWrong(t *testing.T) {
	requireFlaws(t, map[string]flawed{
		"base offset":              {batch: patch(three(), 7, 9), want: kerr.InvalidRecord},
		"no records":               {batch: patch(three(), 57, 0, 0, 0, 0), want: kerr.InvalidRecord},
		"negative count":           {batch: patch(three(), 57, 0xff), want: kerr.InvalidRecord},
		"more records than deltas": {batch: patch(three(), 60, 4), want: kerr.InvalidRecord},
		"last delta is negative":   {batch: patch(three(), 23, 0xff), want: kerr.InvalidRecord},
		"more records than bytes":  {batch: patch(patch(three(), 23, 0x7f, 0xff, 0xff, 0xfe), 57, 0x7f, 0xff, 0xff, 0xff), want: kerr.InvalidRecord},
		"fewer records than bytes": {batch: patch(patch(three(), 26, 1), 60, 2), want: kerr.InvalidRecord},
		"offset delta of a record": {batch: patch(three(), record.HeaderSize+3, 2), want: kerr.InvalidRecord},
		"a key of negative length": {batch: patch(three(), record.HeaderSize+4, 0x09), want: kerr.InvalidRecord},
		"producer without seq":     {batch: patch(sequencedBatch(7, 0, 0, 1), 53, 0xff, 0xff, 0xff, 0xff), want: kerr.InvalidRecord},
		"producer without epoch":   {batch: patch(sequencedBatch(7, 0, 0, 1), 51, 0xff, 0xff)},
		"producer -2":              {batch: patch(three(), 50, 0xfe)},
		"not what it is packed in": {batch: patch(three(), 22, 4), want: kerr.InvalidRecord},
		"no such codec":            {batch: patch(three(), 22, 1), want: kerr.UnsupportedCompressionType},
		"transaction of nobody":    {batch: patch(three(), 22, 0x10), want: kerr.InvalidRecord},
	})
}

func TestWhatTheTopicAllows(t *testing.T) {
	old := recordtest.Values(nowMs-5000, "a")
	requireFlaws(t, map[string]flawed{
		"too large":                          {batch: three(), rules: func(r *rules) { r.maxBytes = int32(len(three())) - 1 }, want: kerr.MessageTooLarge},
		"as large as may be":                 {batch: three(), rules: func(r *rules) { r.maxBytes = int32(len(three())) }},
		"larger than a segment":              {batch: three(), rules: func(r *rules) { r.segmentBytes = 100 }, want: kerr.RecordListTooLarge},
		"from the future":                    {batch: recordtest.Batch(recordtest.Spec{Records: recordtest.Values(nowMs+3_600_001, "a")}), want: kerr.InvalidTimestamp, records: []int32{0}},
		"only the header is from the future": {batch: patch(three(), 35, 0x7f)},
		"from the past": {
			batch: recordtest.Batch(recordtest.Spec{Records: old}), rules: func(r *rules) { r.beforeMaxMs = 4999 }, want: kerr.InvalidTimestamp, records: []int32{0},
		},
		"one record from the past, compressed": {
			batch: compressed(append(recordtest.Numbered(1, nowMs), old...)), rules: func(r *rules) { r.beforeMaxMs = 4999 },
			want: kerr.InvalidTimestamp, records: []int32{1},
		},
		"no key": {
			batch: values("a"), rules: func(r *rules) { r.compacted = true }, want: kerr.InvalidRecord, records: []int32{0},
		},
		"no key, compressed": {
			batch: compressed(append(recordtest.Numbered(2, nowMs), recordtest.Values(nowMs, "a")...)), rules: func(r *rules) { r.compacted = true },
			want: kerr.InvalidRecord, records: []int32{2},
		},
		"no key, and another time": {
			batch: recordtest.Batch(recordtest.Spec{Records: append(recordtest.Values(nowMs, "a"), recordtest.Record{Key: []byte("k"), Timestamp: nowMs + 3_600_001})}),
			rules: func(r *rules) { r.compacted = true }, want: kerr.InvalidTimestamp, records: []int32{0, 1},
		},
		"decompresses to too much": {
			batch: compressed(recordtest.Numbered(3, nowMs)), rules: func(r *rules) { r.budget = 3 }, want: kerr.InvalidRecord,
		},
	})
}

func flip(b record.Batch, at int) record.Batch {
	b[at] ^= 1
	return b
}

func TestALargestTimestampThatIsWrongIsMended(t *testing.T) {
	b := three()
	binary.BigEndian.PutUint64(b[35:], nowMs+1000)
	b.SetCRC()
	r := usualRules()
	_, refused := r.check(b, nowMs)
	require.Nil(t, refused)
	require.Equal(t, int64(nowMs+2), b.MaxTimestamp())
	require.True(t, b.CRCValid())
}

func TestLogAppendTimeIsTheBrokers(t *testing.T) {
	b := recordtest.Batch(recordtest.Spec{Records: recordtest.Values(5, "a", "b")})
	r := usualRules()
	r.logAppendTime = true
	_, refused := r.check(b, nowMs)
	require.Nil(t, refused)
	require.True(t, b.LogAppendTime())
	require.Equal(t, int64(nowMs), b.MaxTimestamp())
	require.True(t, b.CRCValid())
}

func TestValidationAllocatesNothing(t *testing.T) {
	b := recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(64, nowMs)})
	r := usualRules()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, refused := r.check(b, nowMs); refused != nil {
			t.Fatal(refused)
		}
	}))
}

// Whatever the bytes are, validation neither panics nor reads beyond them; what
// it lets through has a header that fits its bytes.
func FuzzValidate(f *testing.F) {
	f.Add([]byte(three()), true)
	f.Add([]byte(values("a", "b")), false)
	f.Add(recordtest.Batches(0, recordtest.Spec{Records: recordtest.Numbered(2, 1)}, recordtest.Spec{Records: recordtest.Numbered(2, 1)}), false)
	f.Fuzz(func(t *testing.T, b []byte, fix bool) {
		r := usualRules()
		r.compacted, r.compression = true, compression{set: fix, attribute: 4}
		if fix && len(b) > record.HeaderSize {
			record.Batch(b).SetCRC()
		}
		checked, refused := r.check(b, nowMs)
		if refused != nil {
			return
		}
		b = checked.batches
		for len(b) > 0 {
			batch, rest, ok := record.Next(b)
			require.True(t, ok)
			require.Equal(t, batch.RecordCount()-1, batch.LastOffsetDelta())
			require.True(t, batch.CRCValid())
			b = rest
		}
	})
}
