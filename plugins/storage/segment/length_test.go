package segment

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// positionOf is where the batch at index i begins.
func positionOf(batches []record.Batch, i int) int { return len(between(batches[:i], 0, 1<<60)) }

// TestABrokenHeaderHidesNoOtherBatch turns over each bit of the length, the magic
// byte and the last offset delta of each batch of a segment, behind a clean stop.
func TestABrokenHeaderHidesNoOtherBatch(t *testing.T) {
	disk, segments, end := segmented(t, true)
	all := bases(segments)
	for _, base := range []int64{all[1], all[len(all)-1]} {
		for i, wrong := range segments[base] {
			for _, at := range []int{8, 10, 11, 16, 23, 25, 26} {
				for bit := at % 2; bit < 8; bit += 2 {
					if at == 26 && wrong[at]&(1<<bit) != 0 {
						continue // a batch that ends too early looks like one that was compacted
					}
					name := fmt.Sprintf("segment %d, batch %d of %d, byte %d bit %d", base, i, len(segments[base]), at, bit)
					damaged := disk.CrashClone(vfs.KeepAll, 1)
					position := positionOf(segments[base], i)
					change(t, damaged, "/data/orders-0/"+offsetName(base, logSuffix), func(b []byte) []byte {
						b[position+at] ^= 1 << bit
						return b
					})
					if !t.Run(name, func(t *testing.T) { servesAllBut(t, damaged, segments, wrong, end, at < 23) }) {
						return
					}
				}
			}
		}
	}
}

func openTold(t *testing.T, disk vfs.FS) (*opened, *bytes.Buffer) {
	t.Helper()
	o, log := told(t, disk)
	require.NoError(t, o.openAs(topic))
	return o, log
}

// servesAllBut requires that all batches but one are served, now and after
// another stop. told says that the log has to say what is lost.
func servesAllBut(t *testing.T, disk *vfs.Mem, segments map[int64][]record.Batch, wrong record.Batch, end int64, told bool) {
	o, log := openTold(t, disk)
	check := func() {
		t.Helper()
		require.Equal(t, end, o.bounds().End)
		for _, batches := range segments {
			for _, b := range batches {
				o.holds(b, b.BaseOffset() == wrong.BaseOffset())
				at, ok, err := o.log.SeekTime(t.Context(), b.MaxTimestamp(), 1<<60)
				require.NoError(t, err)
				if b.BaseOffset() != wrong.BaseOffset() {
					require.True(t, ok)
					require.Equal(t, b.BaseOffset(), at.BaseOffset)
				}
			}
		}
		_, err := o.log.Segments(t.Context())
		require.NoError(t, err)
		chunk, err := o.log.Read(t.Context(), storage.Read{Offset: wrong.BaseOffset(), Before: 1 << 60, MaxBytes: 1, PastDamage: true})
		require.NoError(t, err)
		if wrong.LastOffset()+1 < end {
			require.Equal(t, wrong.LastOffset()+1, record.Batch(bytesOf(t, o.files, chunk)).BaseOffset())
		}
	}
	check()
	if told {
		require.Contains(t, log.String(), "log is damaged")
	}
	o.append(0, 1)
	end++
	o.stop()
	o, log = openTold(t, disk)
	if told {
		require.Contains(t, log.String(), fmt.Sprintf("first=%d last=%d", wrong.BaseOffset(), wrong.LastOffset()), "it is remembered")
	}
	check()
	o.stop()
}
