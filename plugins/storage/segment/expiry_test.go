package segment

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// TestPowerCutWhileAllExpires rolls the active segment and removes all that is
// before: wherever the cut comes, the log ends at the same offset, and no offset
// is given twice.
func TestPowerCutWhileAllExpires(t *testing.T) {
	for seed := range uint64(40) {
		disk := vfs.NewMem()
		require.NoError(t, disk.MkdirAll("/data", 0o755))
		require.NoError(t, disk.SyncDir("/"))
		armed, points := false, 0
		var end int64
		files := vfs.WithFaults(disk, func(op vfs.Op) error {
			if !armed {
				return nil
			}
			for _, how := range powerCuts {
				points++
				mustEndAt(t, disk.CrashClone(how, seed<<16+uint64(points)), end, fmt.Sprintf("before %+v, persistence %d", op, how))
			}
			return nil
		})
		o := start(t, files, small())
		for i := range 3 + int(seed%2)*30 {
			o.append(0, 1+i%4)
		}
		_, err := o.log.Sync(t.Context())
		require.NoError(t, err)
		end = o.bounds().End
		armed = true
		_, err = o.log.Roll(t.Context())
		require.NoError(t, err)
		require.NoError(t, o.log.Trim(t.Context(), end))
		armed = false
		require.Greater(t, points, 10)
		o.stop()
	}
}

func mustEndAt(t *testing.T, files *vfs.Mem, end int64, name string) {
	e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: files, Node: 1}, Defaults())
	_, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.NoError(t, err, name)
	log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: topic, Config: small()})
	require.NoError(t, err, name)
	b, err := log.Bounds(t.Context())
	require.NoError(t, err, name)
	require.Equal(t, end, b.End, name)
	require.NoError(t, e.Unmount(t.Context(), "/data"), name)
}

// TestSegmentsGoFromAFullDisk: that is when they are wanted to.
func TestSegmentsGoFromAFullDisk(t *testing.T) {
	space := vfs.NewSpace(1 << 30)
	o := start(t, vfs.WithFaults(vfs.NewMem(), space.Inject), small())
	var batches []record.Batch
	for i := range 80 {
		batches = append(batches, o.append(int32(i/20), 2))
	}
	segments, err := o.log.Segments(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(segments), 3)
	space.Set(0)
	before := o.bounds()
	require.ErrorIs(t, o.log.Trim(t.Context(), segments[2].Base+1), storage.ErrFull, "a start within a segment has to be written")
	require.Equal(t, before, o.bounds())
	require.NoError(t, o.log.Trim(t.Context(), segments[2].Base))
	require.Equal(t, segments[2].Base, o.bounds().Start)
	space.Set(1 << 30)
	batches = append(batches, o.append(9, 1))
	o.stop()
	o = start(t, o.files, small())
	require.Equal(t, segments[2].Base, o.bounds().Start)
	var want []byte
	for _, b := range batches {
		if b.BaseOffset() >= segments[2].Base {
			want = append(want, b...)
		}
	}
	require.Equal(t, want, o.content(segments[2].Base))
	epochs, err := o.log.Epochs(t.Context())
	require.NoError(t, err)
	require.Equal(t, segments[2].Base, epochs[0].Start)
	o.stop()
}

// TestBatchesWithoutTimestampsAreAsOldAsTheirFile, as in Kafka.
func TestBatchesWithoutTimestampsAreAsOldAsTheirFile(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: vfs.OS(), Node: 1}, Defaults())
	_, err := e.Mount(t.Context(), storage.Mount{Dir: dir, ClusterID: "c", Node: 1})
	require.NoError(t, err)
	log, _, err := e.Open(t.Context(), storage.Open{Dir: dir, ID: topic, Config: small()})
	require.NoError(t, err)
	undated := recordtest.Batch(recordtest.Spec{Records: recordtest.Values(-1, "a")})
	_, err = log.Append(t.Context(), storage.Append{Batches: undated})
	require.NoError(t, err)
	_, err = log.Roll(t.Context())
	require.NoError(t, err)
	segments, err := log.Segments(t.Context())
	require.NoError(t, err)
	require.Len(t, segments, 2)
	require.WithinDuration(t, time.Now(), time.UnixMilli(segments[0].MaxTimestamp), time.Minute)
	require.EqualValues(t, -1, segments[1].MaxTimestamp, "nothing was written to it")
	require.NoError(t, e.Unmount(t.Context(), dir))
}
