// Package recordtest builds valid record batches for tests.
package recordtest

import (
	"encoding/binary"
	"fmt"

	"odradek.dev/sdk/record"
)

// Spec says what a batch holds. The zero value of a field is the usual one.
type Spec struct {
	BaseOffset  int64
	LeaderEpoch int32
	Records     []Record
	// ProducerID 0 makes a batch without idempotence (producer id, epoch and
	// sequence are -1 in it).
	ProducerID    int64
	ProducerEpoch int16
	BaseSequence  int32
	// Transactional and Control set the bits of the attributes.
	Transactional, Control bool
	// LogAppendTime sets the timestamp type.
	LogAppendTime bool
	// Codec is the number in the attributes (1 gzip, 2 snappy, 3 lz4, 4 zstd).
	Codec int8
	// Compress turns the encoded records into what the codec makes of them;
	// nil leaves them as they are.
	Compress func(records []byte) []byte
}

// Record is one record.
type Record struct {
	// Key and Value are null if nil.
	Key, Value []byte
	// Timestamp is in milliseconds since 1970.
	Timestamp int64
	Headers   []Header
}

// Header is one header of a record.
type Header struct {
	Key   string
	Value []byte
}

// Values makes a record of each value, without key and with timestamp ms.
func Values(ms int64, values ...string) []Record {
	records := make([]Record, len(values))
	for i, v := range values {
		records[i] = Record{Value: []byte(v), Timestamp: ms}
	}
	return records
}

// Numbered makes count records "key-i" and "value-i" whose timestamps go up
// by one from ms.
func Numbered(count int, ms int64) []Record {
	records := make([]Record, count)
	for i := range records {
		records[i] = Record{
			Key: fmt.Appendf(nil, "key-%d", i), Value: fmt.Appendf(nil, "value-%d", i), Timestamp: ms + int64(i),
		}
	}
	return records
}

// Batch encodes one batch of magic 2 with a valid CRC. It panics when there
// are no records, since a client cannot make such a batch.
func Batch(s Spec) record.Batch {
	if len(s.Records) == 0 {
		panic("recordtest: a batch needs a record")
	}
	base := s.Records[0].Timestamp
	largest := base
	var encoded []byte
	for i, r := range s.Records {
		largest = max(largest, r.Timestamp)
		encoded = appendRecord(encoded, r, r.Timestamp-base, int64(i))
	}
	if s.Compress != nil {
		encoded = s.Compress(encoded)
	}
	batch := append(s.header(base, largest, len(encoded)), encoded...)
	record.Batch(batch).SetCRC()
	return batch
}

// Batches encodes one after the other, each from the offset at which the one
// before it ends.
func Batches(base int64, specs ...Spec) []byte {
	var all []byte
	for _, s := range specs {
		s.BaseOffset = base
		all = append(all, Batch(s)...)
		base += int64(len(s.Records))
	}
	return all
}

func (s Spec) header(base, largest int64, recordBytes int) []byte {
	producer, epoch, sequence := int64(-1), int16(-1), int32(-1)
	if s.ProducerID != 0 {
		producer, epoch, sequence = s.ProducerID, s.ProducerEpoch, s.BaseSequence
	}
	h := make([]byte, 0, record.HeaderSize+recordBytes)
	h = binary.BigEndian.AppendUint64(h, uint64(s.BaseOffset))
	h = binary.BigEndian.AppendUint32(h, uint32(record.HeaderSize-record.FrameOverhead+recordBytes))
	h = binary.BigEndian.AppendUint32(h, uint32(s.LeaderEpoch))
	h = append(h, 2, 0, 0, 0, 0)
	h = binary.BigEndian.AppendUint16(h, s.attributes())
	h = binary.BigEndian.AppendUint32(h, uint32(len(s.Records)-1))
	h = binary.BigEndian.AppendUint64(h, uint64(base))
	h = binary.BigEndian.AppendUint64(h, uint64(largest))
	h = binary.BigEndian.AppendUint64(h, uint64(producer))
	h = binary.BigEndian.AppendUint16(h, uint16(epoch))
	h = binary.BigEndian.AppendUint32(h, uint32(sequence))
	return binary.BigEndian.AppendUint32(h, uint32(len(s.Records)))
}

func (s Spec) attributes() uint16 {
	bits := uint16(s.Codec)
	if s.LogAppendTime {
		bits |= 0x08
	}
	if s.Transactional {
		bits |= 0x10
	}
	if s.Control {
		bits |= 0x20
	}
	return bits
}

func appendRecord(to []byte, r Record, timestampDelta, offsetDelta int64) []byte {
	body := []byte{0}
	body = binary.AppendVarint(body, timestampDelta)
	body = binary.AppendVarint(body, offsetDelta)
	body = appendBytes(body, r.Key)
	body = appendBytes(body, r.Value)
	body = binary.AppendVarint(body, int64(len(r.Headers)))
	for _, h := range r.Headers {
		body = appendBytes(body, append([]byte{}, h.Key...))
		body = appendBytes(body, h.Value)
	}
	return append(binary.AppendVarint(to, int64(len(body))), body...)
}

func appendBytes(to, b []byte) []byte {
	if b == nil {
		return binary.AppendVarint(to, -1)
	}
	return append(binary.AppendVarint(to, int64(len(b))), b...)
}
