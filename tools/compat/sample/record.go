// Package sample makes records that are awkward in every way that a record can
// be, moves them with franz-go, and says where two lists of them part.
package sample

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Record is a record as all clients see it. A nil key or value is null, which
// an empty one is not. In JSON bytes are in base64.
type Record struct {
	Offset int64 `json:"offset"`
	// Timestamp is in milliseconds since 1970.
	Timestamp int64    `json:"timestamp"`
	Key       []byte   `json:"key"`
	Value     []byte   `json:"value"`
	Headers   []Header `json:"headers"`
}

// Header of a record. Names may repeat, and their order counts.
type Header struct {
	Name  string `json:"name"`
	Value []byte `json:"value"`
}

// LargeValue is the size of the largest value, for which a topic's
// max.message.bytes must be raised.
const LargeValue = 1 << 20

// firstTimestamp is some day of 2023.
const firstTimestamp = 1_700_000_000_000

// Records are the same for the same seed, with offsets from 0 on and times
// that go backwards now and then.
func Records(seed uint64) []Record {
	random := rand.New(rand.NewPCG(seed, 1915))
	bytesOf := func(size int) []byte {
		out := make([]byte, size)
		for i := range out {
			out[i] = byte(random.IntN(256))
		}
		return out
	}
	all := []Record{
		{Key: []byte("key"), Value: []byte("value")},
		{Value: []byte("null key")},
		{Key: []byte{}, Value: []byte("empty key")},
		{Key: []byte("null value")},
		{Key: []byte("empty value"), Value: []byte{}},
		{},
		{Key: bytesOf(300), Value: bytesOf(3000)},
		{Value: []byte("one header"), Headers: []Header{{"trace", []byte("42")}}},
		{Value: []byte("headers"), Headers: []Header{{"a", []byte("1")}, {"a", []byte("2")}, {"b", []byte{}}, {"Straße", bytesOf(40)}}},
		{Value: []byte("null header"), Headers: []Header{{"null", nil}}},
		{Key: []byte("large"), Value: bytesOf(LargeValue)},
		{Value: bytes.Repeat([]byte("zeros"), LargeValue/8)},
	}
	for range 100 {
		all = append(all, Record{Key: bytesOf(random.IntN(20) + 1), Value: bytesOf(random.IntN(400) + 1)})
	}
	for i := range all {
		all[i].Offset, all[i].Timestamp = int64(i), firstTimestamp+int64(i)*1000-int64(i%7)*1500
	}
	return all
}

// Difference says where two lists part first.
func Difference(got, want []Record) error {
	for i := range min(len(got), len(want)) {
		if !equal(got[i], want[i]) {
			return fmt.Errorf("record %d is %s, want %s", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d records, want %d", len(got), len(want))
	}
	return nil
}

func equal(a, b Record) bool {
	return a.Offset == b.Offset && a.Timestamp == b.Timestamp && same(a.Key, b.Key) && same(a.Value, b.Value) &&
		slices.EqualFunc(a.Headers, b.Headers, func(a, b Header) bool { return a.Name == b.Name && same(a.Value, b.Value) })
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// String shows a record in one short line.
func (r Record) String() string {
	headers := ""
	for _, header := range r.Headers {
		headers += fmt.Sprintf(" %s=%s", header.Name, short(header.Value))
	}
	return fmt.Sprintf("{offset %d, time %d, key %s, value %s, headers[%s]}", r.Offset, r.Timestamp, short(r.Key), short(r.Value), headers)
}

func short(value []byte) string {
	switch {
	case value == nil:
		return "null"
	case len(value) > 24:
		return fmt.Sprintf("%q... of %d bytes", value[:24], len(value))
	default:
		return fmt.Sprintf("%q", value)
	}
}
