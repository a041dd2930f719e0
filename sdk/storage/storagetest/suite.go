// Package storagetest is the conformance suite of storage engines.
package storagetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// Run holds an engine to the contract. open makes a new engine, in which
// nothing is mounted yet, and has the test clean up behind it; it may be in
// this process or another one. Files that extents lie in are read from the
// operating system.
func Run(t *testing.T, open func(t *testing.T) storage.Engine) {
	groups := map[string]map[string]func(*testing.T, *fixture){
		"mount": mountTests, "append": appendTests, "read": readTests, "time": timeTests,
		"shorten": shortenTests, "epochs": epochTests, "state": stateTests, "segments": segmentTests, "rewrite": rewriteTests, "concurrency": concurrencyTests,
	}
	for group, tests := range groups {
		for name, test := range tests {
			t.Run(group+"/"+name, func(t *testing.T) {
				// The folder goes after the engine, so it is made before it.
				dir := filepath.Join(t.TempDir(), "data")
				test(t, &fixture{t: t, engine: open(t), dir: dir})
			})
		}
	}
}

const cluster, node = "Zx0Yq3nVTjyWk0mmkZ7n6Q", 3

func orders(partition int32) storage.ID {
	return storage.ID{Topic: "orders-eu", TopicID: [16]byte{1, 2, 3, 4}, Partition: partition}
}

// small has segments of a few batches, and an index entry for most of them.
func small() storage.Config {
	return storage.Config{SegmentBytes: 1024, SegmentIndexBytes: 512, IndexIntervalBytes: 100, FileDeleteDelayMs: 60_000}
}

// fixture is one engine with one directory and, after open, one log.
type fixture struct {
	t      *testing.T
	engine storage.Engine
	dir    string
	log    storage.Log
}

func (f *fixture) mount() storage.Mounted {
	f.t.Helper()
	m, err := f.engine.Mount(f.t.Context(), storage.Mount{Dir: f.dir, ClusterID: cluster, Node: node})
	require.NoError(f.t, err)
	return m
}

func (f *fixture) openLog(c storage.Config) storage.Recovery {
	f.t.Helper()
	log, recovery, err := f.engine.Open(f.t.Context(), storage.Open{Dir: f.dir, ID: orders(0), Config: c})
	require.NoError(f.t, err)
	f.log = log
	return recovery
}

// begin mounts and opens a log with small segments.
func (f *fixture) begin() {
	f.t.Helper()
	f.mount()
	f.openLog(small())
}

// reopen stops cleanly and opens the log again.
func (f *fixture) reopen() storage.Recovery {
	f.t.Helper()
	require.NoError(f.t, f.log.Close(f.t.Context()))
	require.NoError(f.t, f.engine.Unmount(f.t.Context(), f.dir))
	require.True(f.t, f.mount().Clean)
	return f.openLog(small())
}

func (f *fixture) bounds() storage.Bounds {
	f.t.Helper()
	b, err := f.log.Bounds(f.t.Context())
	require.NoError(f.t, err)
	require.LessOrEqual(f.t, b.Start, b.Durable)
	require.LessOrEqual(f.t, b.Durable, b.End)
	return b
}

// batch is one with count records at base, whose timestamps go up from ms.
func batch(base int64, epoch int32, count int, ms int64) record.Batch {
	return recordtest.Batch(recordtest.Spec{
		BaseOffset: base, LeaderEpoch: epoch, Records: recordtest.Numbered(count, ms),
	})
}

func (f *fixture) append(batches ...record.Batch) storage.Appended {
	f.t.Helper()
	var all []byte
	for _, b := range batches {
		all = append(all, b...)
	}
	a, err := f.log.Append(f.t.Context(), storage.Append{Batches: all, Now: 5000})
	require.NoError(f.t, err)
	return a
}

// fill appends count batches of 1, 2, 3, 1, 2, 3, ... records, one at a time,
// with the offset as the timestamp of each batch's first record.
func (f *fixture) fill(count int) []record.Batch {
	f.t.Helper()
	var batches []record.Batch
	next := f.bounds().End
	for i := range count {
		b := batch(next, 0, 1+i%3, next)
		require.Equal(f.t, b.LastOffset()+1, f.append(b).End)
		batches = append(batches, b)
		next = b.LastOffset() + 1
	}
	return batches
}

const everything = int64(1) << 60

func (f *fixture) read(offset, before, maxBytes int64) []byte {
	f.t.Helper()
	chunk, err := f.log.Read(f.t.Context(), storage.Read{Offset: offset, Before: before, MaxBytes: maxBytes})
	require.NoError(f.t, err)
	data := bytesOf(f.t, chunk)
	require.EqualValues(f.t, chunk.Bytes(), len(data))
	return data
}

// bytesOf reads what the extents name.
func bytesOf(t require.TestingT, chunk storage.Chunk) []byte {
	var all []byte
	for _, e := range chunk.Extents {
		require.Positive(t, e.Length)
		piece := e.Data
		if piece == nil {
			piece = make([]byte, e.Length)
			file, err := os.Open(e.File.Path)
			require.NoError(t, err)
			_, err = file.ReadAt(piece, e.Position)
			require.NoError(t, err)
			require.NoError(t, file.Close())
		}
		require.EqualValues(t, e.Length, len(piece))
		all = append(all, piece...)
	}
	return all
}

func join(batches []record.Batch) []byte {
	var all []byte
	for _, b := range batches {
		all = append(all, b...)
	}
	return all
}

// holding is the index of the batch that holds offset.
func holding(batches []record.Batch, offset int64) int {
	for i, b := range batches {
		if offset <= b.LastOffset() {
			return i
		}
	}
	return len(batches)
}

// readAll reads from offset to the end, a chunk at a time.
func (f *fixture) readAll(offset int64) []byte {
	f.t.Helper()
	var all []byte
	for end := f.bounds().End; offset < end; {
		data := f.read(offset, everything, 1)
		b, rest, ok := record.Next(data)
		require.True(f.t, ok, "a whole batch at %d", offset)
		require.Empty(f.t, rest, "MaxBytes of 1 gives one batch")
		all, offset = append(all, b...), b.LastOffset()+1
	}
	return all
}
