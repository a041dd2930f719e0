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
	c := compression{set: true}
	switch t.CompressionType {
	case "uncompressed":
		return c
	case "gzip":
		c.attribute = 1
	case "snappy":
		c.attribute = 2
	case "lz4":
		c.attribute = 3
	case "zstd":
		c.attribute = 4
	default:
		return compression{}
	}
	c.level = levelsOf(t).of(c.attribute)
	return c
}

// levels has the level of each codec by its number in a batch's attributes.
type levels [5]int

// levelsOf is compression.gzip.level and the others (KIP-780). They are the
// topic's also where compression.type leaves the codec to the producer.
func levelsOf(t config.Topic) levels {
	return levels{codec.LevelDefault, int(t.GzipLevel), codec.LevelDefault, int(t.Lz4Level), int(t.ZstdLevel)}
}

// of is the level of a codec, its default for one that has none.
func (l levels) of(attribute int8) int {
	if attribute < 0 || int(attribute) >= len(l) {
		return codec.LevelDefault
	}
	return l[attribute]
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
