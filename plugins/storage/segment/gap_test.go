package segment

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// segmented is a log of many segments below a recovery point that is on the
// disk, stopped or killed, with its batches by the base offsets of the segments.
func segmented(t *testing.T, clean bool) (disk *vfs.Mem, segments map[int64][]record.Batch, end int64) {
	t.Helper()
	disk = vfs.NewMem()
	o := start(t, disk, small())
	segments = map[int64][]record.Batch{}
	for i := range 100 {
		b := o.append(0, 1+i%4)
		base := o.log.(*partitionLog).active().base
		segments[base] = append(segments[base], b)
	}
	_, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	o.clock.Advance(o.engine.config.CheckpointInterval)
	end = o.bounds().End
	if clean {
		o.stop()
	} else {
		disk = disk.CrashClone(vfs.KeepAll, 1)
	}
	return disk, segments, end
}

// bases are those of the segments, ascending.
func bases(segments map[int64][]record.Batch) []int64 { return slices.Sorted(maps.Keys(segments)) }

// holds requires that a batch is read where it is, and that what is lost is told.
func (o *opened) holds(b record.Batch, lost bool) {
	o.t.Helper()
	for offset := b.BaseOffset(); offset <= b.LastOffset(); offset++ {
		chunk, err := o.log.Read(o.t.Context(), storage.Read{Offset: offset, Before: 1 << 60, MaxBytes: 1})
		if lost {
			require.ErrorIs(o.t, err, storage.ErrCorrupt, "offset %d", offset)
			continue
		}
		require.NoError(o.t, err, "offset %d", offset)
		require.Equal(o.t, []byte(b), bytesOf(o.t, o.files, chunk), "offset %d", offset)
	}
}

func TestASegmentWithoutBytesIsDamage(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk, segments, end := segmented(t, clean)
		all := bases(segments)
		gone, next := all[2], all[3]
		change(t, disk, "/data/orders-0/"+offsetName(gone, logSuffix), func([]byte) []byte { return nil })
		o, log := told(t, disk)
		require.NoError(t, o.openAs(topic))
		line := fmt.Sprintf("segment=%d position=0 bytes=0 first=%d last=%d", gone, gone, next-1)
		require.Equal(t, 1, strings.Count(log.String(), "log is damaged"), log)
		require.Contains(t, log.String(), line)
		whole := slices.Concat(segments[all[0]], segments[all[1]])
		check := func() {
			t.Helper()
			require.Equal(t, between(whole, 0, 1<<60), o.read(0, 1<<20), "a read ends where the damage begins")
			for base, batches := range segments {
				for _, b := range batches {
					o.holds(b, base == gone)
				}
			}
			chunk, err := o.log.Read(t.Context(), storage.Read{Offset: gone, Before: end, MaxBytes: 1, PastDamage: true})
			require.NoError(t, err)
			require.Equal(t, []byte(segments[next][0]), bytesOf(t, o.files, chunk))
		}
		check()
		require.Equal(t, end, o.bounds().End)
		o.append(0, 1)
		o.stop()
		o, log = told(t, disk)
		require.NoError(t, o.openAs(topic))
		require.Equal(t, 1, strings.Count(log.String(), line), "it is remembered")
		check()
	}
}

// TestASegmentThatLostItsEndIsNotTakenForACompactedOne cuts a sealed segment
// between two batches.
func TestASegmentThatLostItsEndIsNotTakenForACompactedOne(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk, segments, _ := segmented(t, clean)
		all := bases(segments)
		cut, lost := all[1], segments[all[1]][len(segments[all[1]])-2:]
		change(t, disk, "/data/orders-0/"+offsetName(cut, logSuffix), func(b []byte) []byte {
			return b[:len(b)-len(between(lost, 0, 1000))]
		})
		o := start(t, disk, small())
		for _, batches := range segments {
			for _, b := range batches {
				o.holds(b, b.BaseOffset() >= lost[0].BaseOffset() && b.BaseOffset() <= lost[1].BaseOffset())
			}
		}
		chunk, err := o.log.Read(t.Context(), storage.Read{Offset: lost[0].BaseOffset(), Before: 1 << 60, MaxBytes: 1, PastDamage: true})
		require.NoError(t, err)
		require.Equal(t, []byte(segments[all[2]][0]), bytesOf(t, o.files, chunk))
	}
}

// cleaned makes of a segment what Kafka's cleaner does if only the first keep of
// its batches stay: the rest is in no file of it, and nothing is put in its place.
func cleaned(t *testing.T, disk vfs.FS, base int64, batches []record.Batch, keep int) {
	t.Helper()
	s := (&partitionLog{path: "/data/orders-0", dir: &directory{engine: &engine{cache: cacheOf(disk)}}}).newSegment(base)
	for _, f := range s.files() {
		require.NoError(t, removeFile(disk, f.path))
		require.NoError(t, f.create())
	}
	for _, b := range batches[:keep] {
		require.NoError(t, s.file.writeAt(b, s.size))
		s.note(b.LastOffset(), b.MaxTimestamp(), int64(b.Size()), small().IndexIntervalBytes)
	}
	s.offsets.created, s.times.created = true, true
	require.NoError(t, s.flushIndexes(true))
	for _, f := range s.files() {
		require.NoError(t, f.sync())
	}
	require.NoError(t, s.close())
}

func cacheOf(files vfs.FS) *fileCache {
	cache, _ := newFileCache(files, minOpenFiles)
	return cache
}

// TestWhatKafkasCleanerLeavesIsNoDamage has segments that end early or hold
// nothing, also when their indexes have to be made anew.
func TestWhatKafkasCleanerLeavesIsNoDamage(t *testing.T) {
	for name, lose := range map[string]string{"as it is": "", "an index is lost": timeIndexSuffix} {
		for _, clean := range []bool{true, false} {
			for _, keep := range []int{0, 1, 3} {
				disk, segments, end := segmented(t, clean)
				all := bases(segments)
				cleaned(t, disk, all[1], segments[all[1]], keep)
				require.NoError(t, writeFile(disk, "/data/"+cleanerOffsetsFile, offsets{partitionOf(topic): all[4]}.encode()))
				if lose != "" {
					require.NoError(t, disk.Remove("/data/orders-0/"+offsetName(all[1], lose)))
				}
				o, log := told(t, disk)
				require.NoError(t, o.openAs(topic))
				require.NotContains(t, log.String(), "log is damaged", "%s, %d kept, clean %t", name, keep, clean)
				require.Equal(t, end, o.bounds().End)
				for base, batches := range segments {
					for i, b := range batches {
						if base != all[1] || i < keep {
							o.holds(b, false)
							continue
						}
						require.Equal(t, []byte(segments[all[2]][0]), o.read(b.BaseOffset(), 1), "%s, %d kept", name, keep)
					}
				}
				o.append(0, 1)
				o.stop()
				require.NotContains(t, log.String(), "log is damaged")
			}
		}
	}
}

func TestAnEmptyActiveSegmentIsNoDamage(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk := vfs.NewMem()
		o := start(t, disk, small())
		o.append(0, 3)
		_, err := o.log.Roll(t.Context())
		require.NoError(t, err)
		want := o.content(0)
		if clean {
			o.stop()
		} else {
			disk = disk.CrashClone(vfs.KeepAll, 1)
		}
		o, log := told(t, disk)
		require.NoError(t, o.openAs(topic))
		require.NotContains(t, log.String(), "log is damaged")
		require.Equal(t, want, o.content(0))
	}
}

// A clean stop says that all is on the disk, also if the recovery points are
// lost: nothing is cut then.
func TestACleanLogIsNotCutThoughItsRecoveryPointIsLost(t *testing.T) {
	disk, segments, end := segmented(t, true)
	all := bases(segments)
	require.NoError(t, disk.Remove("/data/"+recoveryPointsFile))
	require.NoError(t, disk.Remove("/data/orders-0/"+offsetName(all[1], indexSuffix)))
	cut := segments[all[1]][len(segments[all[1]])-1]
	change(t, disk, "/data/orders-0/"+offsetName(all[1], logSuffix), func(b []byte) []byte { return b[:len(b)-len(cut)] })
	o := start(t, disk, small())
	require.Zero(t, o.recovery.TruncatedBytes)
	require.Equal(t, end, o.bounds().End)
	for _, batches := range segments {
		for _, b := range batches {
			o.holds(b, b.BaseOffset() == cut.BaseOffset())
		}
	}
}
