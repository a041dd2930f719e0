package segment

import (
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

var topic = storage.ID{Topic: "orders", TopicID: [16]byte{1, 2, 3}, Partition: 0}

// small has segments of a few batches.
func small() storage.Config {
	return storage.Config{SegmentBytes: 2048, SegmentIndexBytes: 1024, IndexIntervalBytes: 200, FileDeleteDelayMs: 1000}
}

// opened is one life of an engine with one log.
type opened struct {
	t        *testing.T
	files    vfs.FS
	clock    *clock.Fake
	engine   *engine
	log      storage.Log
	recovery storage.Recovery
	mounted  storage.Mounted
}

func start(t *testing.T, files vfs.FS, c storage.Config) *opened {
	o := &opened{t: t, files: files, clock: clock.NewFake(time.UnixMilli(1_000_000))}
	o.engine = newEngine(module.Env{Clock: o.clock, FS: files, Node: 1, Seed: 7}, Defaults())
	var err error
	o.mounted, err = o.engine.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.NoError(t, err)
	o.log, o.recovery, err = o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: topic, Config: c})
	require.NoError(t, err)
	return o
}

func (o *opened) stop() {
	o.t.Helper()
	require.NoError(o.t, o.engine.Unmount(o.t.Context(), "/data"))
}

func (o *opened) bounds() storage.Bounds {
	o.t.Helper()
	b, err := o.log.Bounds(o.t.Context())
	require.NoError(o.t, err)
	return b
}

// append adds a batch of count records at the end and returns its bytes.
func (o *opened) append(epoch int32, count int) record.Batch {
	o.t.Helper()
	b := batchFor(o.bounds().End, epoch, count)
	_, err := o.log.Append(o.t.Context(), storage.Append{Batches: b, Now: 1000})
	require.NoError(o.t, err)
	return b
}

func batchFor(base int64, epoch int32, count int) record.Batch {
	return recordtest.Batch(recordtest.Spec{
		BaseOffset: base, LeaderEpoch: epoch, Records: recordtest.Numbered(count, 1000+base),
	})
}

// content reads batch by batch from offset to the end.
func (o *opened) content(offset int64) []byte {
	o.t.Helper()
	var all []byte
	for end := o.bounds().End; offset < end; {
		b := o.read(offset, 1)
		require.GreaterOrEqual(o.t, len(b), record.HeaderSize, "nothing at %d", offset)
		batch := record.Batch(b)
		require.True(o.t, batch.CRCValid(), "batch at %d", offset)
		require.GreaterOrEqual(o.t, batch.LastOffset(), offset)
		offset = batch.LastOffset() + 1
		all = append(all, b...)
	}
	return all
}

func (o *opened) read(offset, maxBytes int64) []byte {
	o.t.Helper()
	chunk, err := o.log.Read(o.t.Context(), storage.Read{Offset: offset, Before: 1 << 60, MaxBytes: maxBytes})
	require.NoError(o.t, err)
	return bytesOf(o.t, o.files, chunk)
}

func bytesOf(t *testing.T, files vfs.FS, chunk storage.Chunk) []byte {
	t.Helper()
	var all []byte
	for _, e := range chunk.Extents {
		f, err := files.OpenFile(e.File.Path, 0, 0)
		require.NoError(t, err)
		piece := make([]byte, e.Length)
		_, err = f.ReadAt(piece, e.Position)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		all = append(all, piece...)
	}
	return all
}

func TestAppendReadReopen(t *testing.T) {
	files := vfs.NewMem()
	o := start(t, files, small())
	var want []byte
	for i := range 40 {
		want = append(want, o.append(int32(i/10), 1+i%4)...)
	}
	require.Equal(t, want, o.content(0))
	end := o.bounds().End
	o.stop()

	o = start(t, files, small())
	require.True(t, o.mounted.Clean)
	require.Equal(t, []storage.ID{topic}, o.mounted.Logs)
	require.Zero(t, o.recovery)
	require.Equal(t, storage.Bounds{Start: 0, Durable: end, End: end, Bytes: int64(len(want))}, o.bounds())
	require.Equal(t, want, o.content(0))
	want = append(want, o.append(9, 3)...)
	require.Equal(t, want, o.content(0))
	o.stop()
}

func TestKilledProcessLosesNothing(t *testing.T) {
	files := vfs.NewMem()
	o := start(t, files, small())
	var want []byte
	for i := range 40 {
		want = append(want, o.append(int32(i/10), 1+i%4)...)
	}
	epochs, err := o.log.Epochs(t.Context())
	require.NoError(t, err)

	o = start(t, files.CrashClone(vfs.KeepAll, 1), small())
	require.False(t, o.mounted.Clean)
	require.Zero(t, o.recovery.TruncatedBytes)
	require.EqualValues(t, len(want), o.recovery.ScannedBytes)
	require.Equal(t, want, o.content(0))
	again, err := o.log.Epochs(t.Context())
	require.NoError(t, err)
	require.Equal(t, epochs, again)
	o.stop()
}
