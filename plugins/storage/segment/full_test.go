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

// TestALogThatAFullDiskKeptShutOpensLater has sealed segments whose indexes are
// to be made anew, after a crash and because they were lost.
func TestALogThatAFullDiskKeptShutOpensLater(t *testing.T) {
	for name, prepare := range map[string]func(*opened) *vfs.Mem{
		"killed": func(o *opened) *vfs.Mem { return o.files.(*vfs.Mem).CrashClone(vfs.KeepAll, 1) },
		"lost": func(o *opened) *vfs.Mem {
			o.stop()
			require.NoError(t, o.files.Remove("/data/orders-0/"+offsetName(0, timeIndexSuffix)))
			return o.files.(*vfs.Mem).CrashClone(vfs.KeepAll, 1)
		},
	} {
		full := 0
		for room := int64(0); room < 400; room += 3 {
			before := start(t, vfs.NewMem(), small())
			for range 40 {
				before.append(0, 3)
			}
			want, times := before.content(0), before.firstTimes()
			o, space := mountFull(t, prepare(before), room)
			if err := o.open(small()); err != nil {
				full++
				require.ErrorIs(t, err, storage.ErrFull)
				require.Equal(t, module.Retriable, module.ClassOf(err))
				require.ErrorIs(t, o.open(small()), storage.ErrFull, "as long as there is no room")
				space.Set(1 << 30)
				require.NoError(t, o.open(small()))
			}
			space.Set(1 << 30)
			require.Equal(t, want, o.content(0), "%s, room for %d bytes", name, room)
			require.Equal(t, times, o.firstTimes(), "%s, room for %d bytes", name, room)
			o.append(0, 1)
			o.stop()
		}
		require.NotZero(t, full, name)
	}
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
