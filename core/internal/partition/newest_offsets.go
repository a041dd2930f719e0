package partition

import (
	"crypto/sha256"
	"errors"

	"odradek.dev/sdk/record"
)

// newestOffsets is the newest offset of each key in a part of a log. Keys are
// known by 128 bits of their SHA-256.
type newestOffsets struct {
	byKey map[[16]byte]int64
	// most bounds the number of keys.
	most int
	// upTo is the offset up to which the log was looked at. What the part has
	// above it is not known.
	upTo int64
}

// errManyKeys ends a look at a log that has more keys than can be known.
var errManyKeys = errors.New("more keys than fit into log.cleaner.dedupe.buffer.size")

// noteBatch takes in the records of a batch from offset from on. Those of a
// transaction are not known to be committed: they replace nothing.
func (n *newestOffsets) noteBatch(b record.Batch, records []byte, from int64) error {
	if b.Control() || b.Transactional() {
		n.upTo = b.LastOffset() + 1
		return nil
	}
	err := record.Walk(records, b.RecordCount(), func(r record.Record) error {
		offset := b.BaseOffset() + int64(r.OffsetDelta)
		if offset < from || r.Key == nil {
			return nil
		}
		key := hashed(r.Key)
		if _, known := n.byKey[key]; !known && len(n.byKey) >= n.most {
			n.upTo = offset
			return errManyKeys
		}
		n.byKey[key] = offset
		return nil
	})
	if err == nil {
		n.upTo = b.LastOffset() + 1
	}
	return err
}

// newest says whether no newer record of the key is known than that at offset.
func (n *newestOffsets) newest(key []byte, offset int64) bool {
	known, ok := n.byKey[hashed(key)]
	return !ok || offset >= known
}

func hashed(key []byte) [16]byte {
	sum := sha256.Sum256(key)
	return [16]byte(sum[:16])
}
