package partition

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
)

// sealed has the checksum of a snapshot be right.
func sealed(b []byte) []byte {
	if len(b) >= snapshotHeader {
		binary.BigEndian.PutUint32(b[snapshotCRCAt:], crc32.Checksum(b[snapshotCountAt:], castagnoli))
	}
	return b
}

// Whatever a snapshot file holds, it is refused and leaves nothing, or it is
// understood and written again as it was understood.
func FuzzProducerSnapshot(f *testing.F) {
	p := newProducers()
	f.Add(p.snapshot(nowMs), false)
	p.apply(at(0, sequencedBatch(7, 2, 0, 3)), nowMs)
	p.apply(at(3, sequencedBatch(9, 0, 1<<31-1, 2)), nowMs)
	f.Add(p.snapshot(nowMs), true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = sealed(b)
		}
		loaded := newProducers()
		if loaded.load(b, nowMs) != nil {
			require.Empty(t, loaded.byID)
			return
		}
		kept := loaded.snapshot(nowMs)
		again := newProducers()
		require.NoError(t, again.load(kept, nowMs))
		require.Equal(t, kept, again.snapshot(nowMs))
	})
}

// A count that the bytes do not bear out, or a wrong checksum, costs nothing
// but the error.
func TestARefusedSnapshotAllocatesNothing(t *testing.T) {
	entries := make([]byte, snapshotHeader+1000*snapshotEntrySize)
	binary.BigEndian.PutUint16(entries, snapshotVersion)
	unsealed := append([]byte(nil), entries...)
	binary.BigEndian.PutUint32(unsealed[snapshotCountAt:], 1000)
	binary.BigEndian.PutUint32(entries[snapshotCountAt:], 1<<31)
	for name, b := range map[string][]byte{"count": sealed(entries), "checksum": unsealed} {
		p := newProducers()
		// The error; under the race detector pools lose at random what they keep.
		require.Less(t, testing.AllocsPerRun(10, func() {
			if p.load(b, nowMs) == nil {
				t.Fatal(name)
			}
		}), 10.0, name)
	}
}
