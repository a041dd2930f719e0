package record

import "encoding/binary"

// Contents is records to be put into a batch in the place of others.
type Contents struct {
	// Records is their encoding, compressed by the codec of that number.
	Records     []byte
	Compression int8
	Count       int32
	// BaseTimestamp is what the records' timestamps are counted from, and
	// MaxTimestamp the largest of them, in milliseconds; -1 if there are none.
	BaseTimestamp, MaxTimestamp int64
	// DeleteHorizon says that BaseTimestamp is the time from which on tombstones
	// may be removed (KIP-534).
	DeleteHorizon bool
}

// AppendRebuilt appends to dst a batch that has c and is else as b: it has the
// same base and last offset, leader epoch, producer and sequence number, though
// records may be missing. Its checksum is right.
func (b Batch) AppendRebuilt(dst []byte, c Contents) []byte {
	at := len(dst)
	dst = append(append(dst, b[:HeaderSize]...), c.Records...)
	made := Batch(dst[at:])
	binary.BigEndian.PutUint32(made[offLength:], uint32(len(made)-FrameOverhead))
	attributes := b.Attributes()&^(compressionMask|deleteHorizonBit) | int16(c.Compression)&compressionMask
	if c.DeleteHorizon {
		attributes |= deleteHorizonBit
	}
	made.SetAttributes(attributes)
	binary.BigEndian.PutUint64(made[offBaseTimestamp:], uint64(c.BaseTimestamp))
	made.SetMaxTimestamp(c.MaxTimestamp)
	binary.BigEndian.PutUint32(made[offRecordsCount:], uint32(c.Count))
	made.SetCRC()
	return dst
}

// AppendRecord appends the encoding of r to dst.
func AppendRecord(dst []byte, r Record) []byte {
	size := int64(1 + varintSize(r.TimestampDelta) + varintSize(int64(r.OffsetDelta)) +
		blobSize(r.Key) + blobSize(r.Value) + varintSize(int64(r.Headers.count)) + len(r.Headers.raw))
	dst = binary.AppendVarint(dst, size)
	dst = append(dst, 0)
	dst = binary.AppendVarint(dst, r.TimestampDelta)
	dst = binary.AppendVarint(dst, int64(r.OffsetDelta))
	dst = appendBlob(dst, r.Key)
	dst = appendBlob(dst, r.Value)
	dst = binary.AppendVarint(dst, int64(r.Headers.count))
	return append(dst, r.Headers.raw...)
}

func appendBlob(dst, b []byte) []byte {
	if b == nil {
		return binary.AppendVarint(dst, -1)
	}
	return append(binary.AppendVarint(dst, int64(len(b))), b...)
}

func blobSize(b []byte) int {
	if b == nil {
		return varintSize(-1)
	}
	return varintSize(int64(len(b))) + len(b)
}

func varintSize(v int64) int {
	size := 1
	for zigzag := uint64(v)<<1 ^ uint64(v>>63); zigzag >= 0x80; zigzag >>= 7 {
		size++
	}
	return size
}
