// Package record has the values that cross every contract: the Kafka record
// batch (magic 2) as bytes with named fields, and columns of byte strings.
package record

import (
	"encoding/binary"
	"hash/crc32"
)

// HeaderSize is the length of a batch header; records follow it.
const HeaderSize = 61

// Where the fields of a batch are. All integers are big-endian.
//
//	 0  baseOffset           int64   written by the leader
//	 8  length               int32   bytes after this field
//	12  partitionLeaderEpoch int32   written by the leader, outside the CRC
//	16  magic                int8    2
//	17  crc                  uint32  CRC-32C of what follows it
//	21  attributes           int16
//	23  lastOffsetDelta      int32
//	27  baseTimestamp        int64
//	35  maxTimestamp         int64
//	43  producerId           int64
//	51  producerEpoch        int16
//	53  baseSequence         int32
//	57  recordsCount         int32
const (
	offLength          = 8
	offLeaderEpoch     = 12
	offMagic           = 16
	offCRC             = 17
	offAttributes      = 21
	offLastOffsetDelta = 23
	offBaseTimestamp   = 27
	offMaxTimestamp    = 35
	offProducerID      = 43
	offProducerEpoch   = 51
	offBaseSequence    = 53
	offRecordsCount    = 57

	// FrameOverhead is the part of a batch that its length field leaves out.
	FrameOverhead = 12
)

// Bits of the attributes. The others mean nothing.
const (
	compressionMask  = 0x07
	logAppendTimeBit = 0x08
	transactionalBit = 0x10
	controlBit       = 0x20
	deleteHorizonBit = 0x40
	knownBits        = compressionMask | logAppendTimeBit | transactionalBit | controlBit | deleteHorizonBit
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Batch is one whole record batch, or at least its header. The methods read
// and write fields in place and do not check; use [Next] and [Batch.CRCValid]
// on bytes that nobody has checked yet.
type Batch []byte

// Next returns the batch at the head of b and the rest. ok is false when b
// does not begin with a whole batch of magic 2 whose length field is possible.
func Next(b []byte) (batch Batch, rest []byte, ok bool) {
	if len(b) < HeaderSize || b[offMagic] != 2 {
		return nil, b, false
	}
	size := Batch(b).Size()
	if size < HeaderSize || size > len(b) {
		return nil, b, false
	}
	return Batch(b[:size:size]), b[size:], true
}

func (b Batch) int64At(at int) int64 { return int64(binary.BigEndian.Uint64(b[at:])) }
func (b Batch) int32At(at int) int32 { return int32(binary.BigEndian.Uint32(b[at:])) }
func (b Batch) int16At(at int) int16 { return int16(binary.BigEndian.Uint16(b[at:])) }

// BaseOffset is the offset of the first record, also after compaction.
func (b Batch) BaseOffset() int64 { return b.int64At(0) }

// SetBaseOffset writes it; the CRC does not cover it.
func (b Batch) SetBaseOffset(o int64) { binary.BigEndian.PutUint64(b, uint64(o)) }

// Size is the length of the whole batch in bytes, as its header says. A length
// field that is negative or absurd gives a size below [HeaderSize].
func (b Batch) Size() int {
	length := b.int32At(offLength)
	if length < 0 {
		return 0
	}
	return int(length) + FrameOverhead
}

// SetSize writes how long the whole batch is, which is the length of b.
func (b Batch) SetSize() { binary.BigEndian.PutUint32(b[offLength:], uint32(len(b)-FrameOverhead)) }

// LeaderEpoch is the epoch of the leader that appended the batch.
func (b Batch) LeaderEpoch() int32 { return b.int32At(offLeaderEpoch) }

// SetLeaderEpoch writes it; the CRC does not cover it.
func (b Batch) SetLeaderEpoch(e int32) { binary.BigEndian.PutUint32(b[offLeaderEpoch:], uint32(e)) }

// Magic is the format version, 2 for every batch that Odradek stores.
func (b Batch) Magic() int8 { return int8(b[offMagic]) }

// CRC is the checksum that the header carries.
func (b Batch) CRC() uint32 { return binary.BigEndian.Uint32(b[offCRC:]) }

// CRCValid computes the checksum of the whole batch and compares.
func (b Batch) CRCValid() bool { return crc32.Checksum(b[offAttributes:], castagnoli) == b.CRC() }

// SetCRC computes and writes the checksum.
func (b Batch) SetCRC() {
	binary.BigEndian.PutUint32(b[offCRC:], crc32.Checksum(b[offAttributes:], castagnoli))
}

// Attributes is the bit field with codec, timestamp type and the rest.
func (b Batch) Attributes() int16 { return b.int16At(offAttributes) }

// SetAttributes writes it; the CRC must be set again.
func (b Batch) SetAttributes(a int16) { binary.BigEndian.PutUint16(b[offAttributes:], uint16(a)) }

// Compression is the number of the codec, 0 for none.
func (b Batch) Compression() int8 { return int8(b.Attributes() & compressionMask) }

// SetCompression writes the number of the codec; the CRC must be set again.
func (b Batch) SetCompression(codec int8) {
	b.SetAttributes(b.Attributes()&^compressionMask | int16(codec)&compressionMask)
}

// LogAppendTime reports whether timestamps are the broker's.
func (b Batch) LogAppendTime() bool { return b.Attributes()&logAppendTimeBit != 0 }

// SetTimes writes who gave the timestamps, and the largest of them; the CRC must
// be set again. Bits of the attributes that mean nothing are cleared, as Kafka
// does.
func (b Batch) SetTimes(logAppendTime bool, maxTimestamp int64) {
	attributes := b.Attributes() & knownBits &^ logAppendTimeBit
	if logAppendTime {
		attributes |= logAppendTimeBit
	}
	b.SetAttributes(attributes)
	b.SetMaxTimestamp(maxTimestamp)
}

// Transactional reports whether the batch belongs to a transaction.
func (b Batch) Transactional() bool { return b.Attributes()&transactionalBit != 0 }

// Control reports whether the batch is a marker that clients do not see.
func (b Batch) Control() bool { return b.Attributes()&controlBit != 0 }

// HasDeleteHorizon reports whether baseTimestamp is a delete horizon.
func (b Batch) HasDeleteHorizon() bool { return b.Attributes()&deleteHorizonBit != 0 }

// ClearDeleteHorizon makes baseTimestamp that of the records again; the CRC must
// be set again.
func (b Batch) ClearDeleteHorizon() { b.SetAttributes(b.Attributes() &^ deleteHorizonBit) }

// LastOffsetDelta is the last offset less the base offset.
func (b Batch) LastOffsetDelta() int32 { return b.int32At(offLastOffsetDelta) }

// LastOffset is the offset of the last record.
func (b Batch) LastOffset() int64 { return b.BaseOffset() + int64(b.LastOffsetDelta()) }

// BaseTimestamp is in milliseconds since 1970.
func (b Batch) BaseTimestamp() int64 { return b.int64At(offBaseTimestamp) }

// MaxTimestamp is in milliseconds since 1970, -1 for none.
func (b Batch) MaxTimestamp() int64 { return b.int64At(offMaxTimestamp) }

// SetMaxTimestamp writes it; the CRC must be set again.
func (b Batch) SetMaxTimestamp(ms int64) { binary.BigEndian.PutUint64(b[offMaxTimestamp:], uint64(ms)) }

// ProducerID is -1 for a batch without idempotence.
func (b Batch) ProducerID() int64 { return b.int64At(offProducerID) }

// ProducerEpoch is -1 for a batch without idempotence.
func (b Batch) ProducerEpoch() int16 { return b.int16At(offProducerEpoch) }

// BaseSequence is -1 for a batch without idempotence.
func (b Batch) BaseSequence() int32 { return b.int32At(offBaseSequence) }

// RecordCount is the number of records.
func (b Batch) RecordCount() int32 { return b.int32At(offRecordsCount) }

// Records is what follows the header: records, or their compressed bytes.
func (b Batch) Records() []byte { return b[HeaderSize:] }
