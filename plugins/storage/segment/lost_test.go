package segment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func inFolder(base int64, suffix string) string { return "/data/orders-0/" + offsetName(base, suffix) }

// TestALostLogFileIsDamageAsLongAsItsIndexesAreThere removes each .log file.
func TestALostLogFileIsDamageAsLongAsItsIndexesAreThere(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk, segments, end := segmented(t, clean)
		all := bases(segments)
		for i, base := range all {
			t.Run(fmt.Sprintf("segment %d, clean %t", base, clean), func(t *testing.T) {
				lost := disk.CrashClone(vfs.KeepAll, 1)
				require.NoError(t, lost.Remove(inFolder(base, logSuffix)))
				next := end
				if i+1 < len(all) {
					next = all[i+1]
				}
				for range 3 {
					o, log := told(t, lost)
					require.NoError(t, o.openAs(topic))
					require.Equal(t, 1, strings.Count(log.String(), "log is damaged"), log)
					require.Contains(t, log.String(), fmt.Sprintf("first=%d last=%d", base, next-1))
					require.Zero(t, o.bounds().Start)
					require.GreaterOrEqual(t, o.bounds().End, end)
					for at, batches := range segments {
						for _, b := range batches {
							o.holds(b, at == base)
						}
					}
					listed, err := o.log.Segments(t.Context())
					require.NoError(t, err)
					for _, s := range listed[:len(listed)-1] {
						require.Positive(t, s.MaxTimestamp, "retention can tell its age")
					}
					if base != all[len(all)-1] {
						require.Contains(t, namesIn(t, lost), offsetName(base, indexSuffix), "the evidence stays")
					}
					o.append(0, 1)
					o.stop()
				}
			})
		}
	}
}

func namesIn(t *testing.T, files vfs.FS) (all []string) {
	t.Helper()
	entries, err := files.ReadDir("/data/orders-0")
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// What was found lost once is not taken for compacted when its indexes go too.
func TestALostLogFileIsRememberedWithoutItsIndexes(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	require.NoError(t, writeFile(disk, "/data/"+cleanerOffsetsFile, offsets{partitionOf(topic): all[4]}.encode()))
	require.NoError(t, disk.Remove(inFolder(all[1], logSuffix)))
	for range 2 {
		o := start(t, disk, small())
		for base, batches := range segments {
			for _, b := range batches {
				o.holds(b, base == all[1])
			}
		}
		o.stop()
		require.NoError(t, removeFile(disk, inFolder(all[1], indexSuffix)))
	}
}

// A kill between the renames of a segment's files leaves its indexes, and is no
// loss.
func TestADeletionThatWasCutShortIsNoLoss(t *testing.T) {
	for _, clean := range []bool{true, false} {
		disk, segments, end := segmented(t, clean)
		all := bases(segments)
		require.NoError(t, disk.Rename(inFolder(0, logSuffix), inFolder(0, logSuffix+deletedSuffix)))
		for range 2 {
			o, log := told(t, disk)
			require.NoError(t, o.openAs(topic))
			require.NotContains(t, log.String(), "damaged")
			require.Equal(t, []int64{all[1], end}, []int64{o.bounds().Start, o.bounds().End})
			require.NotContains(t, namesIn(t, disk), offsetName(0, indexSuffix))
			o.stop()
		}
	}
}

// A log start beyond the end of a log that was stopped is none.
func TestALogStartBeyondTheEndDeletesNothing(t *testing.T) {
	for _, lose := range []bool{true, false} {
		disk, segments, end := segmented(t, true)
		require.NoError(t, writeFile(disk, "/data/"+startOffsetsFile, offsets{partitionOf(topic): end + 7}.encode()))
		if lose {
			require.NoError(t, disk.Remove("/data/"+recoveryPointsFile))
		}
		o, log := told(t, disk)
		require.NoError(t, o.openAs(topic))
		require.Contains(t, log.String(), startOffsetsFile)
		require.Equal(t, []int64{0, end}, []int64{o.bounds().Start, o.bounds().End})
		for _, batches := range segments {
			for _, b := range batches {
				o.holds(b, false)
			}
		}
	}
}

// A log start beyond whole segments is none that a clean stop of ours leaves: it
// is told, and nothing goes before the host says so.
func TestALogStartBeyondWholeSegmentsIsTold(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	require.NoError(t, writeFile(disk, "/data/"+startOffsetsFile, offsets{partitionOf(topic): all[2] + 1}.encode()))
	o, log := told(t, disk)
	require.NoError(t, o.openAs(topic))
	require.Contains(t, log.String(), startOffsetsFile)
	require.Equal(t, all[2]+1, o.bounds().Start)
	require.Contains(t, namesIn(t, disk), offsetName(0, logSuffix))
	require.NoError(t, o.log.Trim(t.Context(), all[2]+1))
	require.NotContains(t, namesIn(t, disk), offsetName(0, logSuffix))
}

func TestALogThatBeginsLaterThanItsStartIsTold(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	require.NoError(t, writeFile(disk, "/data/"+startOffsetsFile, offsets{partitionOf(topic): 3}.encode()))
	for _, suffix := range []string{logSuffix, indexSuffix, timeIndexSuffix} {
		require.NoError(t, disk.Remove(inFolder(0, suffix)))
	}
	o, log := told(t, disk)
	require.NoError(t, o.openAs(topic))
	require.Contains(t, log.String(), fmt.Sprintf("start=%d", all[1]))
	require.Equal(t, all[1], o.bounds().Start)
}

// TestAShortenedSegmentIsNotJoinedToTheNext cuts a closed segment at every byte
// of its last two batches.
func TestAShortenedSegmentIsNotJoinedToTheNext(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	cut, n := all[1], len(segments[all[1]])
	whole := slices.Concat(segments[all[0]], segments[cut])
	for size := positionOf(segments[cut], n-2); size < positionOf(segments[cut], n); size++ {
		lost := segments[cut][n-1:]
		if size < positionOf(segments[cut], n-1) {
			lost = segments[cut][n-2:]
		}
		damaged := disk.CrashClone(vfs.KeepAll, 1)
		change(t, damaged, inFolder(cut, logSuffix), func(b []byte) []byte { return b[:size] })
		o, log := told(t, damaged)
		require.NoError(t, o.openAs(topic))
		want := between(whole, 0, lost[0].BaseOffset())
		require.Equal(t, want, o.read(0, 1<<20), "%d bytes are left", size)
		require.Contains(t, log.String(), "log is damaged")
		for base, batches := range segments {
			for _, b := range batches {
				o.holds(b, base == cut && b.BaseOffset() >= lost[0].BaseOffset())
			}
		}
		chunk, err := o.log.Read(t.Context(), storage.Read{Offset: lost[0].BaseOffset(), Before: 1 << 60, MaxBytes: 1, PastDamage: true})
		require.NoError(t, err)
		require.Equal(t, all[2], record.Batch(bytesOf(t, o.files, chunk)).BaseOffset())
	}
}

// Damage goes with the batches that it is in: others are put in their place.
func TestTruncatedDamageIsForgotten(t *testing.T) {
	disk, batches := whole(t)
	change(t, disk, firstSegment, func(b []byte) []byte { b[positionOf(batches, 6)+70] ^= 1; return b })
	killed := disk.CrashClone(vfs.KeepAll, 1)
	o := start(t, killed, small())
	o.holds(batches[6], true)
	require.NoError(t, o.log.Truncate(t.Context(), batches[5].BaseOffset()))
	var fresh []record.Batch
	for range 8 {
		fresh = append(fresh, o.append(3, 2))
	}
	o.stop()
	o = start(t, killed, small())
	for _, b := range fresh {
		o.holds(b, false)
	}
}

// TestDamageIsMetByManyAtOnce has readers come upon damage beside each other and
// beside the writer.
func TestDamageIsMetByManyAtOnce(t *testing.T) {
	disk, segments, end := segmented(t, true)
	all := bases(segments)
	change(t, disk, inFolder(all[1], logSuffix), func(b []byte) []byte { b[positionOf(segments[all[1]], 3)+10] ^= 1; return b })
	change(t, disk, inFolder(all[2], timeIndexSuffix), func([]byte) []byte { return nil })
	change(t, disk, inFolder(all[3], logSuffix), func(b []byte) []byte { return b[:len(b)-9] })
	o := start(t, disk, small())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for offset := range end {
				_, err := o.log.Read(t.Context(), storage.Read{Offset: offset, Before: 1 << 60, MaxBytes: 1 << 20})
				assert.True(t, err == nil || errors.Is(err, storage.ErrCorrupt), "%v", err)
				_, _, err = o.log.SeekTime(t.Context(), 1000+offset, 1<<60)
				assert.NoError(t, err)
			}
			_, err := o.log.Segments(t.Context())
			assert.NoError(t, err)
		})
	}
	for i := range 60 {
		o.append(0, 1+i%3)
		require.NoError(t, o.log.Configure(t.Context(), small()))
	}
	readers.Wait()
	lost := []record.Batch{segments[all[1]][3], segments[all[3]][len(segments[all[3]])-1]}
	for range 2 {
		for _, batches := range segments {
			for _, b := range batches {
				o.holds(b, slices.ContainsFunc(lost, func(l record.Batch) bool { return l.BaseOffset() == b.BaseOffset() }))
			}
		}
		o.stop()
		o = start(t, disk, small())
	}
}
