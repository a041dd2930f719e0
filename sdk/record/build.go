package record

import "encoding/binary"

// Pair is a record that is only key and value; nil is null.
type Pair struct {
	Key, Value []byte
}

// BatchSize is at least what [AppendBatch] makes of so many records with so many
// bytes of keys and values.
func BatchSize(bytes, records int) int { return HeaderSize + bytes + records*maxRecordOverhead }

// maxRecordOverhead is what a record without headers takes besides its key and
// its value: four varints of at most five bytes, two of one, and its attributes.
const maxRecordOverhead = 4*5 + 3

// AppendBatch appends to dst an uncompressed batch of records without headers,
// all of the same timestamp (milliseconds) and of no producer. Base offset and
// leader epoch are left for the leader to write. There is at least one record.
func AppendBatch(dst []byte, timestamp int64, records []Pair) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, HeaderSize)...)
	for i, r := range records {
		dst = AppendRecord(dst, Record{OffsetDelta: int32(i), Key: r.Key, Value: r.Value})
	}
	b := Batch(dst[at:])
	binary.BigEndian.PutUint32(b[offLength:], uint32(len(b)-FrameOverhead))
	b.SetLeaderEpoch(-1)
	b[offMagic] = 2
	binary.BigEndian.PutUint32(b[offLastOffsetDelta:], uint32(len(records)-1))
	binary.BigEndian.PutUint64(b[offBaseTimestamp:], uint64(timestamp))
	b.SetMaxTimestamp(timestamp)
	for i := offProducerID; i < offRecordsCount; i++ {
		b[i] = 0xFF // producer id, epoch and sequence are -1
	}
	binary.BigEndian.PutUint32(b[offRecordsCount:], uint32(len(records)))
	b.SetCRC()
	return dst
}
