package raft

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/vfs"
)

// knownDurable is the record that a folder says was durable.
func knownDurable(t testing.TB, dir string) uint64 {
	t.Helper()
	p, readable, err := openRecoveryPoint(vfs.OS(), dir)
	require.NoError(t, err)
	require.True(t, readable)
	require.NoError(t, p.close())
	return p.record
}

// stoppedLog appends so many pairs, one after the other, and stops. It returns
// the folder as a kill would have left it after each, the first before any.
func stoppedLog(t *testing.T, dir string, pairs ...string) (killed []string) {
	t.Helper()
	r := start(t, dir)
	leader(t, r)
	killed = append(killed, copyOf(t, dir))
	for _, text := range pairs {
		appendText(t, r, text, text+"'")
		killed = append(killed, copyOf(t, dir))
	}
	stop(t, r)
	return killed
}

func contentOf(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func TestEveryCutAfterAStop(t *testing.T) {
	dir := t.TempDir()
	stoppedLog(t, dir, "first", "second")
	path := segments(t, dir)[0]
	whole := contentOf(t, path)
	for size := range whole {
		require.NoError(t, os.Truncate(path, int64(size)))
		startFails(t, dir, path, "but had record")
		require.Equal(t, whole[:size], contentOf(t, path), "what is damaged is left as it is")
		require.NoError(t, os.WriteFile(path, whole, 0o600))
	}
	again := start(t, dir)
	require.Equal(t, []string{"first", "first'", "second", "second'"}, wholeLog(t, again))
	stop(t, again)
}

// A power cut leaves any part of a write that was not durable yet, and a
// recovery point from before it.
func TestEveryCutAfterAPowerCut(t *testing.T) {
	texts := []string{"first", "second", "third"}
	killed := stoppedLog(t, t.TempDir(), texts...)
	var all []string
	for n, text := range texts {
		before, after := killed[n], killed[n+1]
		durable := len(contentOf(t, segments(t, before)[0]))
		written := contentOf(t, segments(t, after)[0])
		for size := durable; size < len(written); size++ {
			torn := copyOf(t, before)
			require.NoError(t, os.WriteFile(segments(t, torn)[0], written[:size], 0o600))
			again := start(t, torn)
			require.ElementsMatch(t, all, wholeLog(t, again))
			appendText(t, again, "goes on")
			stop(t, again)
		}
		path := segments(t, before)[0]
		for size := range durable {
			require.NoError(t, os.WriteFile(path, written[:size], 0o600))
			startFails(t, before, path, "but had record")
		}
		all = append(all, text, text+"'")
	}
}

// The folder of an earlier release has no recovery point, so that any end
// passes for one that a crash left.
func TestEveryCutWithoutARecoveryPoint(t *testing.T) {
	texts := []string{"first", "second", "third"}
	crashed := stoppedLog(t, t.TempDir(), texts...)[3]
	require.NoError(t, os.Remove(recoveryPointPath(crashed)))
	most := 0
	for size := range contentOf(t, segments(t, crashed)[0]) {
		torn := copyOf(t, crashed)
		require.NoError(t, os.Truncate(segments(t, torn)[0], int64(size)))
		again := start(t, torn)
		log := wholeLog(t, again)
		require.Zero(t, len(log)%2, "an append is there in half")
		require.GreaterOrEqual(t, len(log), most, "a longer file has at least as much")
		most = len(log)
		for n := range log {
			require.Equal(t, []string{texts[n/2], texts[n/2] + "'"}[n%2], log[n])
		}
		stop(t, again)
	}
	require.Equal(t, 4, most, "the last is torn at every size")
}

func TestTheNewestFileIsMissing(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir)
	for range 40 {
		appendText(t, r, string(make([]byte, 2000)))
	}
	killed := copyOf(t, dir)
	stop(t, r)
	for _, folder := range []string{killed, dir} {
		files := segments(t, folder)
		require.Greater(t, len(files), 1)
		require.NoError(t, os.Remove(files[len(files)-1]))
		startFails(t, folder, files[len(files)-2], "but had record")
	}
}

// A write that is torn breaks one of the two slots.
func TestATornRecoveryPoint(t *testing.T) {
	dir := t.TempDir()
	stoppedLog(t, dir, "first", "second")
	path := recoveryPointPath(dir)
	whole, newest := contentOf(t, path), knownDurable(t, dir)
	require.Len(t, whole, slotEvery+slotSize)
	for at, b := range whole {
		if at >= slotSize && at < slotEvery {
			require.Zero(t, b)
			continue
		}
		for bit := range 8 {
			whole[at] ^= 1 << bit
			require.NoError(t, os.WriteFile(path, whole, 0o600))
			whole[at] = b
			known := knownDurable(t, dir)
			if broken := uint64(at / slotEvery); broken == newest%2 {
				require.Equal(t, newest-1, known)
			} else {
				require.Equal(t, newest, known)
			}
		}
	}
}

func TestARecoveryPointThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	stoppedLog(t, dir, "first")
	for _, content := range [][]byte{{1}, make([]byte, slotSize), make([]byte, slotEvery+slotSize)} {
		require.NoError(t, os.WriteFile(recoveryPointPath(dir), content, 0o600))
		_, readable, err := openRecoveryPoint(vfs.OS(), dir)
		require.NoError(t, err)
		require.False(t, readable)
		again := start(t, dir)
		require.Equal(t, []string{"first", "first'"}, wholeLog(t, again))
		require.NotZero(t, knownDurable(t, dir))
		stop(t, again)
	}
}

// All that was acknowledged is below the recovery point at once, and a kill
// leaves nothing in the log that was not asked to be durable.
func TestTheRecoveryPointIsExactAfterAKill(t *testing.T) {
	for n, folder := range stoppedLog(t, t.TempDir(), "first", "second", "third") {
		data := contentOf(t, filepath.Join(folder, "wal", segmentNamed(1)))
		found := scanSegment(data)
		require.Equal(t, len(data), found.end)
		require.Equal(t, uint64(found.records), knownDurable(t, folder))
		require.Equal(t, 3+n, found.records, "the voters, the term, its first entry, and each append")
	}
}

// A sync that failed leaves what was to be synced looking as if it were.
func TestWhatIsNotKnownToBeDurableIsWrittenAnew(t *testing.T) {
	data, ends := sampleLog(t, 5, 5, 5)
	for _, kind := range []vfs.OpKind{vfs.OpWrite, vfs.OpSync} {
		for durable, want := range map[uint64]error{2: syscall.EIO, 3: nil} {
			files := vfs.NewMem()
			require.NoError(t, files.MkdirAll("/wal", 0o750))
			require.NoError(t, writeSynced(files, "/wal/"+segmentNamed(1), data))
			_, err := repair(vfs.WithFaults(files, vfs.FailNth(kind, segmentNamed(1), 1, syscall.EIO)), "/wal", durable)
			require.ErrorIs(t, err, want)
		}
	}
	written := 0
	count := func(op vfs.Op) error {
		if op.Kind == vfs.OpWrite {
			written += op.Bytes
		}
		return nil
	}
	files := vfs.NewMem()
	require.NoError(t, files.MkdirAll("/wal", 0o750))
	require.NoError(t, writeSynced(files, "/wal/"+segmentNamed(1), data))
	_, err := repair(vfs.WithFaults(files, count), "/wal", 2)
	require.NoError(t, err)
	require.Equal(t, ends[3]-ends[2], written)
	left, err := readFile(files, "/wal/"+segmentNamed(1))
	require.NoError(t, err)
	require.Equal(t, data, left)
}
