package segment

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// flipped is the segment at base with one bit of the base offset of its batch at
// index i turned over.
func flipped(batches []record.Batch, i, bit int) []byte {
	content := between(batches, 0, 1<<60)
	position := 0
	for _, b := range batches[:i] {
		position += len(b)
	}
	binary.BigEndian.PutUint64(content[position:], uint64(batches[i].BaseOffset())^1<<bit)
	return content
}

// TestAFlippedBaseOffsetIsNotServedWhereBatchesAreLookedFor turns over each bit of
// the base offset of each batch of a segment, which no CRC covers. A read that
// has to look for a batch finds it or errs, and all others are served.
func TestAFlippedBaseOffsetIsNotServedWhereBatchesAreLookedFor(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk, segments, end := segmented(t, clean)
		all := bases(segments)
		for _, base := range []int64{all[1], all[len(all)-1]} {
			for i := range segments[base] {
				for bit := range 64 {
					damaged := disk.CrashClone(vfs.KeepAll, 1)
					change(t, damaged, "/data/orders-0/"+offsetName(base, logSuffix), func([]byte) []byte { return flipped(segments[base], i, bit) })
					o := start(t, damaged, small())
					if !t.Run(fmt.Sprintf("segment %d batch %d bit %d clean %t", base, i, bit, clean), func(t *testing.T) {
						o.t = t
						require.Equal(t, end, o.bounds().End, "segment %d, batch %d, bit %d, clean %t", base, i, bit, clean)
						for _, b := range segments[base] {
							o.holds(b, b.BaseOffset() == segments[base][i].BaseOffset())
						}
					}) {
						return
					}
				}
			}
		}
	}
}

// TestAFlippedBaseOffsetMisleadsNoLookup looks the other batches up by time, and
// compaction and a truncation refuse what they would make worse.
func TestAFlippedBaseOffsetMisleadsNoLookup(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	base := all[1]
	for i, wrong := range segments[base] {
		for _, bit := range []int{0, 1, 3, 5, 8, 30, 45, 62} {
			damaged := disk.CrashClone(vfs.KeepAll, 1)
			change(t, damaged, "/data/orders-0/"+offsetName(base, logSuffix), func([]byte) []byte { return flipped(segments[base], i, bit) })
			o := start(t, damaged, small())
			for _, b := range segments[base] {
				if b.BaseOffset() == wrong.BaseOffset() {
					continue
				}
				at, ok, err := o.log.SeekTime(t.Context(), b.MaxTimestamp(), 1<<60)
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, b.BaseOffset(), at.BaseOffset, "batch %d, bit %d", i, bit)
			}
			chunk, err := o.log.Read(t.Context(), storage.Read{Offset: wrong.BaseOffset(), Before: 1 << 60, MaxBytes: 1, PastDamage: true})
			require.NoError(t, err)
			require.Equal(t, wrong.LastOffset()+1, record.Batch(bytesOf(t, o.files, chunk)).BaseOffset(), "batch %d, bit %d", i, bit)
		}
	}
}
