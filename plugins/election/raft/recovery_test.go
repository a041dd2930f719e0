package raft

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// leader waits until r leads and returns its epoch.
func leader(t testing.TB, r *Raft) int64 {
	t.Helper()
	known := election.Leadership{Leader: -1}
	for known.Leader == -1 {
		update, err := r.Follow(t.Context(), election.Follow{Leadership: known, MaxBytes: 1})
		require.NoError(t, err)
		known = update.Leadership
	}
	return known.Epoch
}

func appendText(t testing.TB, r *Raft, texts ...string) int64 {
	t.Helper()
	var entries [][]byte
	for _, text := range texts {
		entries = append(entries, []byte(text))
	}
	last, err := r.Append(t.Context(), leader(t, r), entries)
	require.NoError(t, err)
	return last
}

// wholeLog is readLog of a log whose leader is known.
func wholeLog(t testing.TB, r *Raft) []string {
	t.Helper()
	leader(t, r)
	return readLog(r)
}

// segments are the log's files, oldest first.
func segments(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "wal", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// copyOf copies a folder as a crash would leave it.
func copyOf(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

func startFails(t *testing.T, dir string, want ...string) {
	t.Helper()
	r := build(t, environment(dir))
	err := r.Start(t.Context())
	if err == nil {
		stop(t, r)
	}
	require.Error(t, err)
	for _, text := range want {
		require.ErrorContains(t, err, text)
	}
	require.Equal(t, module.Fatal, module.ClassOf(err))
	require.NoError(t, r.Stop(t.Context()), "what did not start is stopped without an error")
}

func TestATailOfZeroesIsCut(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	appendText(t, r, "kept")
	stop(t, r)
	f, err := os.OpenFile(segments(t, dir)[0], os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.Write(make([]byte, 4096))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	again := start(t, dir)
	require.Equal(t, []string{"kept"}, wholeLog(t, again))
	stop(t, again)
}

func TestDamageIsNotTakenForATornTail(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	appendText(t, r, "damaged")
	appendText(t, r, "after it")
	stop(t, r)
	path := segments(t, dir)[0]
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	at := strings.Index(string(data), "damaged")
	data[at] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o600))
	startFails(t, dir, "damaged", path)
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, data, left, "what is damaged is left as it is")
}

func TestDamageInAnOlderSegmentIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	for n := range 100 {
		appendText(t, r, strings.Repeat(fmt.Sprint(n%10), 2000))
	}
	stop(t, r)
	files := segments(t, dir)
	require.Greater(t, len(files), 2)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	data[len(data)-10] ^= 1
	require.NoError(t, os.WriteFile(files[0], data, 0o600))
	startFails(t, dir, "damaged", files[0])
}

func TestALogThatLacksAFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	for n := range 100 {
		appendText(t, r, strings.Repeat(fmt.Sprint(n%10), 2000))
	}
	stop(t, r)
	files := segments(t, dir)
	require.Greater(t, len(files), 2)
	between := copyOf(t, dir)
	require.NoError(t, os.Remove(segments(t, between)[1]))
	startFails(t, between, "lacks the file", filepath.Base(files[1]))
}

func TestSnapshotsGiveSpaceBack(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	var last int64
	for range 100 {
		last = appendText(t, r, strings.Repeat("x", 2000))
	}
	before := len(segments(t, dir))
	require.NoError(t, r.SaveSnapshot(t.Context(), last, []byte(`[]`)))
	require.Less(t, len(segments(t, dir)), before)
	require.Len(t, segments(t, dir), 1)
	status, err := r.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, last+1, status.First)
	stop(t, r)
	again := start(t, dir)
	require.Equal(t, last+1, appendText(t, again, "next"))
	stop(t, again)
}

func TestADamagedSnapshotIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	last := appendText(t, r, "a")
	require.NoError(t, r.SaveSnapshot(t.Context(), last, []byte(`["a"]`)))
	stop(t, r)
	path := snapshotPath(dir)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, broken := range [][]byte{{}, data[:3], data[:len(data)-1], append(slices.Clone(data), 0)} {
		require.NoError(t, os.WriteFile(path, broken, 0o600))
		startFails(t, dir, path, "damaged")
	}
}

func TestALogWithoutItsSnapshotIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	last := appendText(t, r, "a")
	require.NoError(t, r.SaveSnapshot(t.Context(), last, []byte(`["a"]`)))
	appendText(t, r, "b")
	stop(t, r)
	require.NoError(t, os.Remove(snapshotPath(dir)))
	startFails(t, dir, filepath.Join(dir, "wal"), "the snapshot, is missing", restore)
}

func TestASnapshotWithoutItsLogIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	last := appendText(t, r, "a")
	require.NoError(t, r.SaveSnapshot(t.Context(), last, []byte(`["a"]`)))
	stop(t, r)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "wal")))
	startFails(t, dir, "has no files", filepath.Join(dir, "wal"))
	require.NoError(t, os.Remove(recoveryPointPath(dir)))
	startFails(t, dir, "epoch")
}

// A crash after the snapshot is in place and before the log is shortened.
func TestACrashBetweenSnapshotAndLog(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	appendText(t, r, "a", "b", "c")
	appendText(t, r, "d")
	before := copyOf(t, dir)
	require.NoError(t, r.SaveSnapshot(t.Context(), 2, []byte(`["a","b"]`)))
	stop(t, r)
	data, err := os.ReadFile(snapshotPath(dir))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(snapshotPath(before), data, 0o600))
	require.NoError(t, os.WriteFile(snapshotPath(before)+".tmp", []byte("left"), 0o600))
	again := start(t, before)
	require.Equal(t, []string{"a", "b", "c", "d"}, wholeLog(t, again))
	require.NoError(t, again.SaveSnapshot(t.Context(), 4, []byte(`["a","b","c","d"]`)))
	appendText(t, again, "e")
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, wholeLog(t, again))
	stop(t, again)
}

// A kill while the oldest records are dropped, before the rest has its name.
func TestACrashWhileTheLogIsShortened(t *testing.T) {
	dir := t.TempDir()
	stoppedLog(t, dir, "a", "b")
	path := segments(t, dir)[0]
	require.NoError(t, os.Rename(path, path+".START"))
	again := start(t, dir)
	require.Equal(t, []string{"a", "a'", "b", "b'"}, wholeLog(t, again))
	stop(t, again)
}

func TestAnotherNodesFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	stop(t, start(t, dir))
	env := environment(dir)
	env.Node = 2
	err := build(t, env).Start(t.Context())
	require.ErrorContains(t, err, "node.id 1")
	require.ErrorContains(t, err, "node.id 2")
	require.Equal(t, module.Invalid, module.ClassOf(err))
	stop(t, start(t, dir))
}

func TestAFolderInUseIsRefused(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	startFails(t, dir, "in use by another broker")
	appendText(t, r, "goes on")
	stop(t, r)
}

// lockedFS fails to lock anything.
type lockedFS struct {
	vfs.FS
	err error
}

func (f lockedFS) Lock(name string) (io.Closer, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}

func TestALockThatCannotBeTakenSaysWhy(t *testing.T) {
	for said, cause := range map[string]error{
		"no permission":    syscall.EACCES,
		"cannot be locked": syscall.EIO,
	} {
		env := environment(t.TempDir())
		env.FS = lockedFS{FS: vfs.OS(), err: cause}
		err := build(t, env).Start(t.Context())
		require.ErrorContains(t, err, said)
		require.ErrorContains(t, err, filepath.Join(env.Dir, "lock"))
		require.NotContains(t, err.Error(), "in use")
		require.Equal(t, module.Fatal, module.ClassOf(err))
	}
}

// brokenFS fails to make anything durable once it is broken.
type brokenFS struct {
	vfs.FS
	broken atomic.Bool
}

func (f *brokenFS) SyncDir(name string) error {
	if f.broken.Load() {
		return errors.New("input/output error")
	}
	return f.FS.SyncDir(name)
}

func TestNothingIsServedAfterAFailedSync(t *testing.T) {
	dir := t.TempDir()
	files := &brokenFS{FS: vfs.OS()}
	env := environment(dir)
	env.FS = files
	r := build(t, env)
	require.NoError(t, r.Start(t.Context()))
	epoch := leader(t, r)
	require.NoError(t, r.Health(t.Context()))
	files.broken.Store(true)
	durable := knownDurable(t, dir)
	_, err := r.Append(t.Context(), epoch, [][]byte{make([]byte, minSegmentBytes)})
	require.ErrorContains(t, err, "input/output error", "the segment that was begun is not durable")
	require.Equal(t, durable, knownDurable(t, dir), "what is not durable is not said to be")
	files.broken.Store(false)
	_, err = r.Append(t.Context(), epoch, [][]byte{[]byte("b")})
	require.ErrorContains(t, err, "input/output error")
	_, err = r.Follow(t.Context(), election.Follow{})
	require.ErrorContains(t, err, "input/output error")
	require.ErrorContains(t, r.Health(t.Context()), "input/output error")
	require.ErrorContains(t, r.SaveSnapshot(t.Context(), 0, nil), "input/output error")
	require.ErrorContains(t, r.Stop(t.Context()), "input/output error")
	again := start(t, dir)
	require.NotContains(t, wholeLog(t, again), "b")
	stop(t, again)
}

func TestSettings(t *testing.T) {
	require.NoError(t, Factory().Check(nil))
	for _, bytes := range []int{0, -1, minSegmentBytes - 1, maxSegmentBytes + 1} {
		require.ErrorContains(t, Factory().Check(map[string]any{"segment.bytes": bytes}), "segment.bytes")
	}
	env := environment("")
	_, err := New(env, Defaults())
	require.Error(t, err)
	env = environment(t.TempDir())
	env.Node = -1
	_, err = New(env, Defaults())
	require.Error(t, err)
}

func BenchmarkAppend(b *testing.B) {
	r := start(b, b.TempDir())
	epoch := leader(b, r)
	entry := [][]byte{make([]byte, 200)}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			_, err := r.Append(b.Context(), epoch, entry)
			require.NoError(b, err)
		}
	})
	b.Run("64 at a time", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				_, err := r.Append(b.Context(), epoch, entry)
				require.NoError(b, err)
			}
		})
	})
	stop(b, r)
}
