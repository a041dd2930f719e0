package segment

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func TestOpenFilesAreCutToWhatTheProcessMayHave(t *testing.T) {
	for _, test := range []struct {
		configured int
		limit      uint64
		want       int
	}{
		{4096, 0, 4096}, {4096, 1 << 20, 4096}, {4096, 8192, 4096}, {4096, 8191, 4095}, {4096, 1000, 500},
		{400, 1000, 400}, {4096, 20, minOpenFiles}, {4096, 1<<64 - 1, 4096},
	} {
		var log bytes.Buffer
		env := module.Env{Clock: clock.Real(), FS: vfs.NewMem(), Node: 1, Log: hclog.New(&hclog.LoggerOptions{Output: &log})}
		c := Defaults()
		c.MaxOpenFiles = test.configured
		e := newEngineWithin(test.limit, env, c)
		require.Equal(t, test.want, e.cache.limit, "%+v", test)
		if test.want == test.configured {
			require.Empty(t, log.String())
			continue
		}
		require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), log.String())
		require.Contains(t, log.String(), fmt.Sprintf("max.open.files=%d limit=%d acting=%d", test.configured, test.limit, test.want))
	}
}

// scarce is a file system in a process that may have so many descriptors.
type scarce struct {
	vfs.FS
	left *atomic.Int64
}

type scarceFile struct {
	vfs.File
	left *atomic.Int64
}

func (s scarce) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	if s.left.Add(-1) < 0 {
		s.left.Add(1)
		return nil, fmt.Errorf("open %s: %w", name, syscall.EMFILE)
	}
	f, err := s.FS.OpenFile(name, flag, perm)
	if err != nil {
		s.left.Add(1)
		return nil, err
	}
	return scarceFile{f, s.left}, nil
}

func (f scarceFile) Close() error {
	f.left.Add(1)
	return f.File.Close()
}

// TestLogsAreServedWithTheDescriptorsThatOthersLeave has more logs than
// descriptors, and a limit that nobody told the engine of.
func TestLogsAreServedWithTheDescriptorsThatOthersLeave(t *testing.T) {
	left := new(atomic.Int64)
	left.Store(40)
	disk := scarce{vfs.NewMem(), left}
	id := func(n int) storage.ID { return storage.ID{Topic: "many", TopicID: [16]byte{5}, Partition: int32(n)} }
	logs := make([]storage.Log, 60)
	open := func() *engine {
		e := newEngine(module.Env{Clock: clock.Real(), FS: disk, Node: 1}, Defaults())
		_, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
		require.NoError(t, err)
		for n := range logs {
			logs[n], _, err = e.Open(t.Context(), storage.Open{Dir: "/data", ID: id(n), Config: small()})
			require.NoError(t, err)
		}
		return e
	}
	for life := range int64(3) {
		e := open()
		for n, l := range logs {
			_, err := l.Append(t.Context(), storage.Append{Batches: batchFor(3*life, 0, 3)})
			require.NoError(t, err)
			if n%7 == 0 {
				_, err = l.Sync(t.Context())
				require.NoError(t, err)
			}
			chunk, err := l.Read(t.Context(), storage.Read{Offset: 0, Before: 100, MaxBytes: 1 << 20})
			require.NoError(t, err)
			require.Len(t, chunk.Extents, 1)
		}
		left.Add(-30) // connections have come
		for _, l := range logs {
			_, _, err := l.SeekTime(t.Context(), 0, 100)
			require.NoError(t, err)
		}
		left.Add(30)
		require.NoError(t, e.Unmount(t.Context(), "/data"))
		require.EqualValues(t, 40, left.Load(), "all are given back")
	}
	e := open()
	before := left.Load()
	require.Equal(t, 5, e.YieldFiles(5, 0))
	require.Equal(t, before+5, left.Load())
	require.Positive(t, e.YieldFiles(1000, 7))
	require.Len(t, e.cache.open, 7)
	require.Zero(t, e.YieldFiles(1, 7))
	require.Equal(t, 7, e.YieldFiles(1000, 0))
	require.NoError(t, e.Unmount(t.Context(), "/data"))

	left.Store(0)
	e = newEngine(module.Env{Clock: clock.Real(), FS: disk, Node: 1}, Defaults())
	_, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.True(t, errors.Is(err, syscall.EMFILE), "when there is nothing to give back it says so: %v", err)
}

// TestALogIsAsItWasWhenThereIsNoDescriptor takes all descriptors, the engine's
// too, and gives them back.
func TestALogIsAsItWasWhenThereIsNoDescriptor(t *testing.T) {
	left := new(atomic.Int64)
	left.Store(40)
	o := start(t, scarce{vfs.NewMem(), left}, small())
	o.append(0, 3)
	held := left.Load() + int64(o.engine.YieldFiles(100, 0))
	left.Store(0)
	_, err := o.log.Sync(t.Context())
	require.ErrorIs(t, err, storage.ErrNoDescriptor)
	_, err = o.log.Append(t.Context(), storage.Append{Batches: batchFor(3, 0, 3)})
	require.ErrorIs(t, err, storage.ErrNoDescriptor)
	_, _, err = o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: other, Config: small()})
	require.ErrorIs(t, err, storage.ErrNoDescriptor)
	require.Equal(t, module.Retriable, module.ClassOf(err))

	left.Store(held)
	o.append(0, 3)
	require.EqualValues(t, 6, o.bounds().End)
	durable, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 6, durable)
	o.openOther()
	o.stop()
}
