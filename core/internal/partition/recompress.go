package partition

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/record"
)

// compression is the codec in which a topic keeps its batches. The zero value
// keeps them as they came.
type compression struct {
	set bool
	// attribute is the codec's number, 0 for none; level is its level.
	attribute int8
	level     int
}

// compressionOf is compression.type with the level of its codec (KIP-780).
func compressionOf(t config.Topic) compression {
	switch t.CompressionType {
	case "uncompressed":
		return compression{set: true}
	case "gzip":
		return compression{set: true, attribute: 1, level: int(t.GzipLevel)}
	case "snappy":
		return compression{set: true, attribute: 2, level: codec.LevelDefault}
	case "lz4":
		return compression{set: true, attribute: 3, level: int(t.Lz4Level)}
	case "zstd":
		return compression{set: true, attribute: 4, level: int(t.ZstdLevel)}
	}
	return compression{}
}

// keeps reports whether a batch may be stored as it is. One in the right codec
// is not compressed again, whatever its level.
func (c compression) keeps(b record.Batch) bool { return !c.set || c.attribute == b.Compression() }

// recompress makes another batch of the records of b in the topic's codec.
// Everything else in the header stays but the size and the timestamps; a delete
// horizon is dropped.
func (r *rules) recompress(b record.Batch, records []byte, largest int64) (record.Batch, *refusal.Refusal) {
	if b.ProducerID() >= 0 && b.ProducerEpoch() < 0 {
		return nil, refusal.New(kerr.InvalidRecord, "producer %d sent no epoch, without which compression.type cannot be applied", b.ProducerID())
	}
	size := record.HeaderSize + len(records)
	if r.compression.attribute == 0 && int64(size) > int64(r.maxBytes) {
		return nil, r.tooLarge(size)
	}
	out := append(make([]byte, 0, size), b[:record.HeaderSize]...)
	if r.compression.attribute == 0 {
		out = append(out, records...)
	} else {
		var err error
		if out, err = r.codecs.compress(r.compression.attribute, out, records, r.compression.level); err != nil {
			return nil, codecRefusal(err)
		}
	}
	if int64(len(out)) > int64(r.maxBytes) {
		return nil, r.tooLarge(len(out))
	}
	anew := record.Batch(out)
	anew.SetSize()
	anew.SetCompression(r.compression.attribute)
	anew.ClearDeleteHorizon()
	anew.SetTimes(r.logAppendTime, largest)
	anew.SetCRC()
	return anew, nil
}
