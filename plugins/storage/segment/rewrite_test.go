package segment

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// rewritable is a log with closed segments that are durable, the range of them,
// and what is to be kept.
func rewritable(t *testing.T, files vfs.FS) (o *opened, r storage.Rewrite, all []record.Batch) {
	t.Helper()
	o = start(t, files, small())
	var batches []record.Batch
	for i := range 60 {
		batches = append(batches, o.append(0, 1+i%4))
	}
	_, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	segments, err := o.log.Segments(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(segments), 2)
	r = storage.Rewrite{To: segments[len(segments)-1].Base, First: true, Last: true}
	kept, all := keepSome(batches, 0, r.To)
	for _, b := range kept {
		r.Batches = append(r.Batches, b...)
	}
	return o, r, all
}

func join(batches []record.Batch) []byte {
	var all []byte
	for _, b := range batches {
		all = append(all, b...)
	}
	return all
}

// names lists the log's folder.
func (o *opened) names() (all []string) {
	o.t.Helper()
	entries, err := o.files.ReadDir("/data/orders-0")
	require.NoError(o.t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReplacedFilesGoAfterAWhile(t *testing.T) {
	o, r, all := rewritable(t, vfs.NewMem())
	require.NoError(t, o.log.Rewrite(t.Context(), r))
	require.Contains(t, o.names(), "00000000000000000000.log.deleted")
	o.clock.Advance(time.Second)
	for _, name := range o.names() {
		require.False(t, strings.HasSuffix(name, ".deleted") || strings.HasSuffix(name, ".swap") || strings.HasSuffix(name, ".cleaned"), name)
	}
	require.Equal(t, join(all), o.content(0))
	o.stop()
}

// TestARewriteOnAFullDisk changes nothing, and is done once there is room.
func TestARewriteOnAFullDisk(t *testing.T) {
	failed := 0
	for room := int64(0); ; room += 61 {
		space := vfs.NewSpace(1 << 30)
		o, r, all := rewritable(t, vfs.WithFaults(vfs.NewMem(), space.Inject))
		before := o.content(0)
		space.Set(room)
		err := o.log.Rewrite(t.Context(), r)
		space.Set(1 << 30)
		if err == nil {
			require.Equal(t, join(all), o.content(0))
			o.stop()
			break
		}
		failed++
		require.ErrorIs(t, err, storage.ErrFull)
		require.Equal(t, before, o.content(0))
		for _, name := range o.names() {
			require.False(t, strings.HasSuffix(name, ".swap") || strings.HasSuffix(name, ".cleaned"), name)
		}
		o.append(0, 2)
		require.NoError(t, o.log.Rewrite(t.Context(), r))
		o.stop()
	}
	require.Greater(t, failed, 10)
}

// TestAnUnfinishedRewriteIsGoneAtTheNextStart also if the process was killed.
func TestAnUnfinishedRewriteIsGoneAtTheNextStart(t *testing.T) {
	disk := vfs.NewMem()
	o, r, all := rewritable(t, disk)
	before := o.content(0)
	r.Last = false
	require.NoError(t, o.log.Rewrite(t.Context(), r))
	require.Contains(t, o.names(), "00000000000000000000.log.cleaned")
	for _, stop := range []func() *vfs.Mem{
		func() *vfs.Mem { return disk.CrashClone(vfs.KeepAll, 1) },
		func() *vfs.Mem { o.stop(); return disk },
	} {
		again := start(t, stop(), small())
		require.NotContains(t, again.names(), "00000000000000000000.log.cleaned")
		require.Equal(t, before, again.content(0))
		_, err := again.log.Sync(t.Context())
		require.NoError(t, err)
		r.Last = true
		require.NoError(t, again.log.Rewrite(t.Context(), r))
		require.Equal(t, join(all), again.content(0))
		again.stop()
		r.Last = false
	}
}

// TestALostIndexOfARewrittenSegmentIsMadeAnew, with the gaps in it.
func TestALostIndexOfARewrittenSegmentIsMadeAnew(t *testing.T) {
	files := vfs.NewMem()
	o, r, all := rewritable(t, files)
	require.NoError(t, o.log.Rewrite(t.Context(), r))
	o.stop()
	path := "/data/orders-0/00000000000000000000.index"
	want, _, err := readFile(files, path)
	require.NoError(t, err)
	require.NotEmpty(t, want)
	require.NoError(t, files.Remove(path))
	o = start(t, files, small())
	require.Equal(t, 2, o.recovery.RebuiltIndexes)
	require.Equal(t, join(all), o.content(0))
	o.stop()
	got, _, err := readFile(files, path)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestADamagedSegmentIsNotRewritten(t *testing.T) {
	o, r, _ := rewritable(t, vfs.NewMem())
	o.log.(*partitionLog).segments[0].damage = []damage{{100, 200, 1, 3}}
	require.ErrorIs(t, o.log.Rewrite(t.Context(), r), storage.ErrCorrupt)
}
