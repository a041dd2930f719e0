package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// ErrMalformed says that bytes which should be records are not.
var ErrMalformed = errors.New("malformed records")

// minRecordSize is the size of a record without key, value and headers: one
// byte each for length, attributes, timestamp delta, offset delta, two lengths
// and the number of headers.
const minRecordSize = 7

// Record is one record of an uncompressed batch. Its slices alias the batch.
type Record struct {
	// TimestampDelta is added to the batch's base timestamp, in milliseconds.
	TimestampDelta int64
	// OffsetDelta is added to the batch's base offset.
	OffsetDelta int32
	// Key and Value are nil for null, which is not the empty string.
	Key, Value []byte
	Headers    Headers
}

// Headers are the headers of one record, in their encoded form.
type Headers struct {
	raw   []byte
	count int
}

// Len is the number of headers.
func (h Headers) Len() int { return h.count }

// All walks keys and values in order; a null value is nil. They alias the
// batch. The encoding was checked when the record was walked.
func (h Headers) All() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		c := cursor{b: h.raw}
		for range h.count {
			key, value := c.bytes(), c.bytes()
			if !yield(key, value) {
				return
			}
		}
	}
}

// Walk calls visit with each of count records and allocates nothing. What it
// is given need not have been checked: a length that leaves the bytes, a record
// whose fields do not fill it, another number of records than count and bytes
// after the last one are reported as [ErrMalformed]. An error of visit ends
// the walk and is returned as it is.
//
// Offset deltas are not checked: they ascend by one in a batch from a client,
// but not after compaction.
func Walk(records []byte, count int32, visit func(Record) error) error {
	if count < 0 || int64(count)*minRecordSize > int64(len(records)) {
		return fmt.Errorf("%w: %d bytes cannot hold %d records", ErrMalformed, len(records), count)
	}
	c := cursor{b: records}
	for i := range count {
		body := cursor{b: c.take(c.varint())}
		r := body.record()
		if c.bad || body.bad || len(body.b) != 0 {
			return fmt.Errorf("%w: record %d of %d", ErrMalformed, i, count)
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	if len(c.b) != 0 {
		return fmt.Errorf("%w: %d bytes follow the last of %d records", ErrMalformed, len(c.b), count)
	}
	return nil
}

// cursor reads from the front of b. Once bad it stays so, and reads give zero.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) record() Record {
	var r Record
	c.take(1) // attributes, of which none are in use
	r.TimestampDelta = c.varint()
	r.OffsetDelta = c.int32()
	r.Key = c.bytes()
	r.Value = c.bytes()
	r.Headers = c.headers()
	return r
}

func (c *cursor) headers() Headers {
	count := c.varint()
	if count < 0 || count*2 > int64(len(c.b)) {
		c.bad = true
		return Headers{}
	}
	all := c.b
	for range count {
		key := c.bytes()
		c.bytes()
		if c.bad || key == nil {
			c.bad = true
			return Headers{}
		}
	}
	used := len(all) - len(c.b)
	return Headers{raw: all[:used:used], count: int(count)}
}

// varint reads a zig-zag number of at most ten bytes.
func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.b)
	if n <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *cursor) int32() int32 {
	v := c.varint()
	if v != int64(int32(v)) {
		c.bad = true
	}
	return int32(v)
}

// bytes reads a length and as many bytes; a negative length is nil, as it is to
// Kafka.
func (c *cursor) bytes() []byte {
	n := c.varint()
	if n < 0 {
		return nil
	}
	return c.take(n)
}

func (c *cursor) take(n int64) []byte {
	if n < 0 || n > int64(len(c.b)) {
		c.bad, c.b = true, nil
		return nil
	}
	taken := c.b[:n:n]
	c.b = c.b[n:]
	return taken
}
