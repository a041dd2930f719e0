package differential

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

// flaws spoil a batch. Those that change what the CRC covers set it anew.
var flaws = []func(*draw, []byte) []byte{
	func(d *draw, b []byte) []byte { return b[:d.IntN(len(b))] },
	func(d *draw, b []byte) []byte { return []byte{} },
	func(d *draw, b []byte) []byte { b[crcAt] ^= 1; return b },
	func(d *draw, b []byte) []byte { b[16] = pick[byte](d, 0, 1, 3, 127, 128, 255); return b },
	func(d *draw, b []byte) []byte { binary.BigEndian.PutUint64(b, 77); return b },
	func(d *draw, b []byte) []byte { binary.BigEndian.PutUint32(b[12:], 99); return b },
	// A length that no batch has.
	func(d *draw, b []byte) []byte {
		binary.BigEndian.PutUint32(b[8:], pick[uint32](d, 0, 13, 14, 40, 48, 1<<31-1, 1<<31, 1<<32-1))
		return b
	},
	// The count of records, and the offset of the last. Kafka takes memory for as
	// many as are said to be there, and ends when there are too many.
	func(d *draw, b []byte) []byte { return summed(b, 57, pick[uint32](d, 0, 1<<32-1, 1000, 5)) },
	func(d *draw, b []byte) []byte { return summed(b, 23, pick[uint32](d, 1<<32-1, 1<<31-1, 7)) },
	// Bits of the attributes: of the time of the append, of a delete horizon, and
	// such as mean nothing.
	func(d *draw, b []byte) []byte {
		return summedShort(b, 21, pick[uint16](d, 0x08, 0x40, 0x48, 0x80, 0x8000))
	},
	// Bytes of the first record, or of how the codec begins.
	func(d *draw, b []byte) []byte { return summedByte(b, batchHeader+d.IntN(6), byte(d.IntN(256))) },
	// The first timestamp and the last.
	func(d *draw, b []byte) []byte { return summed(b, pick(d, 27, 31, 35, 39), pick[uint32](d, 0, 1<<32-1)) },
	// Records that end too early.
	func(d *draw, b []byte) []byte {
		b = b[:len(b)-1-d.IntN(min(8, len(b)-batchHeader))]
		return summed(b, 8, uint32(len(b)-12))
	},
	// Bytes behind the batch: too few for another, or the beginning of one.
	func(d *draw, b []byte) []byte { return append(b, make([]byte, 1+d.IntN(20))...) },
	func(d *draw, b []byte) []byte {
		another := recordtest.Batch(recordtest.Spec{Records: recordtest.Values(d.now, "another")})
		return append(b, another[:1+d.IntN(len(another))]...)
	},
}

// firstOfZstd is the first version of Produce in which Kafka does not fail on
// the whole request for a codec that it does not know.
const firstOfZstd = 7

func unknownCodec(d *draw, b []byte) []byte {
	if len(b) < batchHeader {
		return b
	}
	binary.BigEndian.PutUint16(b[21:], binary.BigEndian.Uint16(b[21:])&^7)
	return summedShort(b, 21, pick[uint16](d, 5, 6, 7))
}

// rewritten are the topics whose batches are made anew if they came in another
// codec.
var rewritten = []string{"zipped", "packed", "recent"}

// skewed reports whether a spoiled batch is sound, but kept in different ways. If
// its records have other offsets than the batch, Kafka keeps those, or mends them
// where it makes the batch anew, and Odradek refuses the batch. And of a batch that
// is made anew Kafka encodes each record again, where Odradek keeps its bytes.
func skewed(topic string, spoiled, whole []byte) bool {
	batch, records := opened(spoiled)
	next, wrong := int32(0), false
	err := record.Walk(records, batch.RecordCount(), func(r record.Record) error {
		wrong = wrong || r.OffsetDelta != next
		next++
		return nil
	})
	_, before := opened(whole)
	return err == nil && (wrong || slices.Contains(rewritten, topic) && !bytes.Equal(records, before))
}

// opened returns a batch with its records uncompressed; those of what is no batch
// are not the ones that its header says.
func opened(b []byte) (record.Batch, []byte) {
	batch, _, ok := record.Next(b)
	if !ok {
		return make(record.Batch, record.HeaderSize), []byte{0}
	}
	records, err := kgo.DefaultDecompressor().Decompress(batch.Records(), kgo.CompressionCodecType(batch.Compression()))
	if err != nil {
		return batch, nil
	}
	return batch, records
}

func summed(batch []byte, at int, value uint32) []byte {
	binary.BigEndian.PutUint32(batch[at:], value)
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}

func summedShort(batch []byte, at int, bits uint16) []byte {
	binary.BigEndian.PutUint16(batch[at:], binary.BigEndian.Uint16(batch[at:])|bits)
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}

func summedByte(batch []byte, at int, value byte) []byte {
	batch[at] = value
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}
