package segment

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

const firstSegment = "/data/orders-0/00000000000000000000.log"

// change rewrites a file and makes that durable.
func change(t *testing.T, files vfs.FS, path string, edit func([]byte) []byte) {
	t.Helper()
	content, _, err := readFile(files, path)
	require.NoError(t, err)
	require.NoError(t, writeFile(files, path, edit(content)))
}

// whole is a log of ten batches in one segment, killed.
func whole(t *testing.T) (*vfs.Mem, []record.Batch) {
	disk := vfs.NewMem()
	o := start(t, disk, storage.Config{SegmentBytes: 1 << 20, IndexIntervalBytes: 200})
	var batches []record.Batch
	for i := range 10 {
		batches = append(batches, o.append(0, 1+i%3))
	}
	return disk, batches
}

func TestEveryFlippedByteIsFoundAndNothingElseIsLost(t *testing.T) {
	disk, batches := whole(t)
	target, position := batches[4], 0
	for _, b := range batches[:4] {
		position += len(b)
	}
	for at := range target {
		if at >= 12 && at < 16 {
			continue // the leader epoch is outside the CRC
		}
		damaged := disk.CrashClone(vfs.KeepAll, 1)
		change(t, damaged, firstSegment, func(b []byte) []byte { b[position+at] ^= 0x41; return b })
		o := start(t, damaged, small())
		require.Zero(t, o.recovery.TruncatedBytes, "byte %d", at)
		require.Equal(t, batches[9].LastOffset()+1, o.bounds().End, "byte %d", at)
		for _, b := range slices.Concat(batches[:4], batches[5:]) {
			require.Equal(t, []byte(b), o.read(b.BaseOffset(), 1), "byte %d", at)
		}
		_, err := o.log.Read(t.Context(), storage.Read{Offset: target.BaseOffset(), Before: 100, MaxBytes: 1 << 20})
		require.ErrorIs(t, err, storage.ErrCorrupt, "byte %d", at)
		require.Len(t, o.read(0, 1<<20), position, "a read stops before the damage")
		_, ok, err := o.log.SeekTime(t.Context(), batches[8].MaxTimestamp(), 1000)
		require.NoError(t, err)
		require.True(t, ok)
		o.append(0, 2)
		o.stop()
		o = start(t, o.files, small())
		_, err = o.log.Read(t.Context(), storage.Read{Offset: target.BaseOffset(), Before: 100, MaxBytes: 1})
		require.ErrorIs(t, err, storage.ErrCorrupt, "it is remembered after a clean stop")
		require.Equal(t, []byte(batches[5]), o.read(batches[5].BaseOffset(), 1))
	}
}

func TestTornTailAtEveryByte(t *testing.T) {
	disk, batches := whole(t)
	last := batches[9]
	size := len(between(batches, 0, 1000))
	for keep := range last {
		torn := disk.CrashClone(vfs.KeepAll, 1)
		change(t, torn, firstSegment, func(b []byte) []byte { return b[:size-len(last)+keep] })
		o := start(t, torn, small())
		require.EqualValues(t, keep, o.recovery.TruncatedBytes)
		require.Equal(t, last.BaseOffset(), o.bounds().End)
		require.Equal(t, between(batches[:9], 0, 1000), o.content(0))
		o.append(0, 1)
	}
}

// A segment that is not whole takes what follows it along. A second crash does
// not bring that back beside what was appended since.
func TestWhatRecoveryRemovedStaysAway(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.append(0, 3)
	_, err := o.log.Roll(t.Context())
	require.NoError(t, err)
	o.append(0, 2)
	killed := disk.CrashClone(vfs.KeepAll, 1)
	change(t, killed, firstSegment, func(b []byte) []byte { return append(b, make([]byte, 300)...) })
	require.EqualValues(t, 3, start(t, killed, small()).bounds().End)
	require.EqualValues(t, 3, start(t, killed.CrashClone(vfs.KeepNone, 1), small()).bounds().End)
}

func TestNothingIsCutBelowTheRecoveryPoint(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	first := o.append(0, 3)
	second := o.append(0, 3)
	o.stop() // writes the recovery point
	require.NoError(t, disk.Remove("/data/"+cleanShutdownFile))
	change(t, disk, firstSegment, func(b []byte) []byte { return b[:len(first)+20] })
	o = start(t, disk, small())
	require.Zero(t, o.recovery.TruncatedBytes)
	require.EqualValues(t, 6, o.bounds().End, "offsets that were durable are not given out again")
	_, err := o.log.Read(t.Context(), storage.Read{Offset: second.BaseOffset(), Before: 100, MaxBytes: 1})
	require.ErrorIs(t, err, storage.ErrCorrupt)
	third := o.append(0, 1)
	require.EqualValues(t, 6, third.BaseOffset())
	require.Equal(t, []byte(third), o.read(6, 1))
	require.Equal(t, []byte(first), o.read(0, 1<<20))
}

func TestLostAndBrokenIndexesAreMadeAnew(t *testing.T) {
	for name, edit := range map[string]func([]byte) []byte{
		"odd length": func(b []byte) []byte { return append(b, 1, 2, 3) },
		"zeros":      func(b []byte) []byte { clear(b); return b },
		"noise": func(b []byte) []byte {
			for i := range b {
				b[i] = byte(i * 37)
			}
			return b
		},
		"reversed": func(b []byte) []byte { slices.Reverse(b); return b },
		"empty":    func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			disk := vfs.NewMem()
			o := start(t, disk, small())
			for i := range 40 {
				o.append(int32(i/10), 1+i%4)
			}
			want := o.content(0)
			o.stop()
			entries, err := disk.ReadDir("/data/orders-0")
			require.NoError(t, err)
			for _, e := range entries {
				if _, ok := parseOffsetName(e.Name(), indexSuffix); ok {
					change(t, disk, "/data/orders-0/"+e.Name(), edit)
				}
			}
			o = start(t, disk, small())
			require.Equal(t, want, o.content(0))
			end := o.bounds().End
			for offset := range end {
				b := record.Batch(o.read(offset, 1))
				require.LessOrEqual(t, b.BaseOffset(), offset)
				require.GreaterOrEqual(t, b.LastOffset(), offset)
			}
		})
	}
	disk := vfs.NewMem()
	o := start(t, disk, small())
	for range 20 {
		o.append(0, 3)
	}
	want := o.content(0)
	o.stop()
	require.NoError(t, disk.Remove("/data/orders-0/00000000000000000000.timeindex"))
	require.NoError(t, disk.Remove("/data/orders-0/"+epochsFile))
	o = start(t, disk, small())
	require.Equal(t, 2, o.recovery.RebuiltIndexes)
	require.Equal(t, want, o.content(0))
	epochs, err := o.log.Epochs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []storage.EpochStart{{Epoch: 0, Start: 0}}, epochs)
}

func TestCrashWhileLoadingIsNotTakenForAClean(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.append(0, 1)
	o.stop()
	first := start(t, disk, small())
	require.True(t, first.mounted.Clean)
	require.False(t, start(t, disk.CrashClone(vfs.KeepNone, 1), small()).mounted.Clean)
}

func TestPreallocatedFilesAreGivenBack(t *testing.T) {
	disk := vfs.NewMem()
	c := small()
	c.Preallocate = true
	o := start(t, disk, c)
	first := o.append(0, 3)
	info, err := disk.Stat(firstSegment)
	require.NoError(t, err)
	require.EqualValues(t, c.SegmentBytes, info.Size())
	killed := start(t, disk.CrashClone(vfs.KeepAll, 1), c)
	require.Zero(t, killed.recovery.TruncatedBytes, "zeros that nobody wrote are not a torn write")
	require.Equal(t, []byte(first), killed.content(0))
	o.stop()
	info, err = disk.Stat(firstSegment)
	require.NoError(t, err)
	require.EqualValues(t, len(first), info.Size())
}
