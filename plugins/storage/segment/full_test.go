package segment

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// mountFull mounts what is on a disk that then has no more than room.
func mountFull(t *testing.T, disk vfs.FS, room int64) (*opened, *vfs.Space) {
	space := vfs.NewSpace(1 << 30)
	o := &opened{t: t, files: vfs.WithFaults(disk, space.Inject), clock: clock.NewFake(time.UnixMilli(1_000_000))}
	o.engine = newEngine(module.Env{Clock: o.clock, FS: o.files, Node: 1, Seed: 7}, Defaults())
	_, err := o.engine.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.NoError(t, err)
	space.Set(room)
	return o, space
}

// open opens the log, which a full disk may keep it from.
func (o *opened) open(c storage.Config) (err error) {
	o.log, o.recovery, err = o.engine.Open(o.t.Context(), storage.Open{Dir: "/data", ID: topic, Config: c})
	return err
}

// firstTimes finds the offset of each timestamp of a log's batches.
func (o *opened) firstTimes() (all []storage.Position) {
	for ms := int64(1000); ms < 1100; ms++ {
		at, ok, err := o.log.SeekTime(o.t.Context(), ms, o.bounds().End)
		require.NoError(o.t, err)
		if ok {
			all = append(all, at)
		}
	}
	return all
}

// TestAFullDiskKeepsNoActiveSegmentShut kills a log of one segment and finds the
// disk full: only the indexes have to be written, and they can wait.
func TestAFullDiskKeepsNoActiveSegmentShut(t *testing.T) {
	large := small()
	large.SegmentBytes, large.SegmentIndexBytes = 1<<20, 1<<20
	disk := vfs.NewMem()
	before := start(t, disk, large)
	for range 30 {
		before.append(0, 3)
	}
	_, err := before.log.Sync(t.Context())
	require.NoError(t, err)
	times := before.firstTimes()
	require.NotEmpty(t, times)
	for room := int64(0); room < 400; room += 7 {
		want := before.content(0)
		o, space := mountFull(t, disk.CrashClone(vfs.KeepAll, 1), room)
		require.NoError(t, o.open(large), "room for %d bytes", room)
		require.Equal(t, want, o.content(0))
		require.Equal(t, times, o.firstTimes())
		space.Set(0)
		_, err := o.log.Append(t.Context(), storage.Append{Batches: batchFor(o.bounds().End, 0, 2)})
		require.ErrorIs(t, err, storage.ErrFull)
		space.Set(1 << 30)
		want = append(want, o.append(0, 2)...)
		o.stop()
		again := start(t, o.files, large)
		require.True(t, again.mounted.Clean)
		require.Zero(t, again.recovery.RebuiltIndexes, "they were written once there was room")
		require.Equal(t, want, again.content(0))
		again.stop()
	}
}

// sealedIndexes are the index files of the segments but the last, by name.
func sealedIndexes(t *testing.T, o *opened) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	segments := o.log.(*partitionLog).segments
	for _, s := range segments[:len(segments)-1] {
		for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
			content, found, err := readFile(o.files, "/data/orders-0/"+offsetName(s.base, suffix))
			require.NoError(t, err)
			if found {
				all[offsetName(s.base, suffix)] = content
			}
		}
	}
	return all
}

// TestAFullDiskKeepsNoSealedSegmentShut has sealed segments whose indexes are to
// be made anew, after a crash and because they were lost. None is left in part,
// and all are written once there is room, which nobody has to ask for.
func TestAFullDiskKeepsNoSealedSegmentShut(t *testing.T) {
	for name, prepare := range map[string]func(*opened) *vfs.Mem{
		"killed": func(o *opened) *vfs.Mem { return o.files.(*vfs.Mem).CrashClone(vfs.KeepAll, 1) },
		"lost": func(o *opened) *vfs.Mem {
			o.stop()
			require.NoError(t, o.files.Remove("/data/orders-0/"+offsetName(0, timeIndexSuffix)))
			return o.files.(*vfs.Mem).CrashClone(vfs.KeepAll, 1)
		},
	} {
		kept := 0
		for room := int64(0); room < 700; room += 11 {
			before := start(t, vfs.NewMem(), small())
			for range 40 {
				before.append(0, 3)
			}
			want, times, indexes := before.content(0), before.firstTimes(), sealedIndexes(t, before)
			disk := prepare(before)
			o, space := mountFull(t, disk, room)
			require.NoError(t, o.open(small()), "%s, room for %d bytes", name, room)
			check := func(o *opened) {
				t.Helper()
				require.Equal(t, want, o.content(0), "%s, room for %d bytes", name, room)
				require.Equal(t, times, o.firstTimes(), "%s, room for %d bytes", name, room)
			}
			check(o)
			space.Set(0)
			o.clock.Advance(retryIndexes)
			check(o)
			found := sealedIndexes(t, o)
			for file, content := range found {
				require.Equal(t, indexes[file], content, "a part of an index was left, %s", name)
			}
			if len(found) < len(indexes) {
				kept++
				check(start(t, disk.CrashClone(vfs.KeepAll, 1), small()))
			}
			space.Set(1 << 30)
			o.clock.Advance(retryIndexes)
			require.Equal(t, indexes, sealedIndexes(t, o))
			check(o)
			want = append(want, o.append(0, 1)...)
			o.stop()
			again := start(t, o.files, small())
			require.Zero(t, again.recovery.RebuiltIndexes)
			require.Equal(t, want, again.content(0))
		}
		require.Greater(t, kept, 5, name)
	}
}

// A log that is closed before there was room makes the indexes at its next
// opening, and the clock is not asked for more once they are written.
func TestIndexesThatNeverHadRoomAreMadeAtTheNextOpening(t *testing.T) {
	before := start(t, vfs.NewMem(), small())
	for range 40 {
		before.append(0, 3)
	}
	want, indexes := before.content(0), sealedIndexes(t, before)
	before.stop()
	for file := range indexes {
		require.NoError(t, before.files.Remove("/data/orders-0/"+file))
	}
	o, space := mountFull(t, before.files.(*vfs.Mem), 0)
	require.NoError(t, o.open(small()))
	require.Equal(t, want, o.content(0))
	require.Len(t, o.engine.directories["/data"].pending, 1)
	require.NoError(t, o.log.Close(t.Context()), "there is nothing else to write")
	require.Empty(t, sealedIndexes(t, o))
	space.Set(1 << 30)
	o.clock.Advance(retryIndexes)
	require.Empty(t, sealedIndexes(t, o), "nobody writes to a log that is closed")
	require.NoError(t, o.open(small()))
	require.Equal(t, indexes, sealedIndexes(t, o))
	require.Empty(t, o.engine.directories["/data"].pending)
	require.Equal(t, want, o.content(0))
	o.stop()
}

func TestANewLogOnAFullDiskIsMadeLater(t *testing.T) {
	preallocated := small()
	preallocated.Preallocate = true
	full := 0
	for _, c := range []storage.Config{small(), preallocated} {
		for room := range int64(100) {
			o, space := mountFull(t, vfs.NewMem(), room)
			if err := o.open(c); err != nil {
				require.True(t, errors.Is(err, storage.ErrFull), "%v", err)
				full++
				space.Set(1 << 30)
				require.NoError(t, o.open(c))
			}
			space.Set(1 << 30)
			want := []byte(o.append(0, 3))
			o.stop()
			o = start(t, o.files, c)
			require.Equal(t, topic, o.log.(*partitionLog).id)
			require.Equal(t, want, o.content(0))
			o.stop()
		}
	}
	require.NotZero(t, full)
}
