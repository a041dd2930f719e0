package segment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// aged is a log of some epochs and segments with states, synced and trimmed
// within its first segment, killed.
func aged(t *testing.T) *opened {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	for i := range 60 {
		appended, err := o.log.Append(t.Context(), storage.Append{Batches: batchFor(o.bounds().End, int32(i/10), 3)})
		require.NoError(t, err)
		if appended.Rolled >= 0 {
			require.NoError(t, o.log.SaveState(t.Context(), appended.Rolled, []byte("state")))
		}
	}
	require.NoError(t, o.log.Trim(t.Context(), 7))
	_, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	o.clock.Advance(o.engine.config.CheckpointInterval)
	return o
}

// TestLostAndBrokenCheckpointsCostOnlyTime loses or breaks each small file after
// a crash and after a clean stop.
func TestLostAndBrokenCheckpointsCostOnlyTime(t *testing.T) {
	edits := map[string]func(vfs.FS, string) error{
		"lost":    func(files vfs.FS, path string) error { return files.Remove(path) },
		"empty":   func(files vfs.FS, path string) error { return writeFile(files, path, nil) },
		"garbage": func(files vfs.FS, path string) error { return writeFile(files, path, []byte("\x00\xffnonsense 7\n")) },
		"cut": func(files vfs.FS, path string) error {
			content, _, err := readFile(files, path)
			if err != nil {
				return err
			}
			return writeFile(files, path, content[:len(content)/2])
		},
		"of another version": func(files vfs.FS, path string) error { return writeFile(files, path, []byte("9\n0\n")) },
	}
	for _, path := range []string{
		"/data/" + recoveryPointsFile, "/data/" + watermarksFile,
		"/data/orders-0/" + epochsFile, "/data/orders-0/" + metadataFile,
	} {
		for name, edit := range edits {
			for _, clean := range []bool{false, true} {
				o := aged(t)
				require.NoError(t, o.engine.SaveHighWatermarks(t.Context(), "/data", []storage.HighWatermark{{ID: topic, Offset: 100}}))
				want, bounds := o.content(7), o.bounds()
				epochs, err := o.log.Epochs(t.Context())
				require.NoError(t, err)
				disk := o.files.(*vfs.Mem)
				if clean {
					o.stop()
				} else {
					disk = disk.CrashClone(vfs.KeepAll, 1)
				}
				require.NoError(t, edit(disk, path))
				what := strings.Join([]string{path, name, map[bool]string{true: "clean", false: "crashed"}[clean]}, ", ")
				again := start(t, disk, small())
				require.Zero(t, again.recovery.TruncatedBytes, what)
				require.Equal(t, want, again.content(7), what)
				got := again.bounds()
				require.Equal(t, []int64{7, bounds.End}, []int64{got.Start, got.End}, what)
				found, err := again.log.Epochs(t.Context())
				require.NoError(t, err)
				require.Equal(t, epochs, found, what)
				require.Equal(t, topic, again.log.(*partitionLog).id, what)
				again.append(99, 1)
			}
		}
	}
}

// Without the checkpoint, the log begins where its first segment does: what was
// deleted within it is back, and nothing else is.
func TestWithoutTheStartOffsetsTheLogBeginsAtItsFirstSegment(t *testing.T) {
	o := aged(t)
	want := o.content(7)
	disk := o.files.(*vfs.Mem).CrashClone(vfs.KeepAll, 1)
	change(t, disk, "/data/"+startOffsetsFile, func([]byte) []byte { return []byte("7") })
	o = start(t, disk, small())
	require.Zero(t, o.bounds().Start)
	require.Equal(t, want, o.content(record.Batch(want).BaseOffset()))
}

func TestOnlyWhatWasNotSyncedIsChecked(t *testing.T) {
	o := aged(t)
	synced := o.bounds()
	for range 10 {
		o.append(5, 3)
	}
	disk := o.files.(*vfs.Mem)
	crashed := start(t, disk.CrashClone(vfs.KeepAll, 1), small())
	require.Equal(t, synced.End, crashed.bounds().Durable)
	var above int64
	for _, s := range o.log.(*partitionLog).segments {
		if s.next >= synced.End {
			above += s.size
		}
	}
	require.Equal(t, above, crashed.recovery.ScannedBytes, "the segments that reach the recovery point")
	require.Less(t, above, synced.Bytes/2)
	crashed.stop()
	clean := start(t, crashed.files, small())
	require.Zero(t, clean.recovery, "after a clean stop nothing is")
}

func TestReadingPastDamage(t *testing.T) {
	disk, batches := whole(t)
	size := 0
	for i, b := range batches {
		if i == 3 || i == 4 || i == 7 {
			at := size + 70
			change(t, disk, firstSegment, func(content []byte) []byte { content[at] ^= 1; return content })
		}
		size += len(b)
	}
	o := start(t, disk.CrashClone(vfs.KeepAll, 1), small())
	read := func(offset int64) []byte {
		chunk, err := o.log.Read(t.Context(), storage.Read{Offset: offset, Before: 1 << 60, MaxBytes: 1 << 20, PastDamage: true})
		require.NoError(t, err)
		return bytesOf(t, o.files, chunk)
	}
	require.Equal(t, between(batches[:3], 0, 1000), read(0))
	require.Equal(t, between(batches[5:7], 0, 1000), read(batches[3].BaseOffset()))
	require.Equal(t, between(batches[5:7], 0, 1000), read(batches[4].LastOffset()))
	require.Equal(t, between(batches[8:], 0, 1000), read(batches[7].BaseOffset()))
	require.Empty(t, read(o.bounds().End))
}
