package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/brokerproc"
)

// refusedStart runs a broker that must not start, and returns the one line that
// it ends with.
func refusedStart(t *testing.T, set ...string) string {
	t.Helper()
	args := []string{"serve"}
	for _, s := range append([]string{"listeners=PLAINTEXT://127.0.0.1:0", "admin.listener=127.0.0.1:0", "log.level=error"}, set...) {
		args = append(args, "-X", s)
	}
	out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	require.Equal(t, 1, exit.ExitCode(), "%s", out)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, 1, "%s", out)
	return lines[0]
}

func TestTwoBrokersDoNotShareADirectory(t *testing.T) {
	b := startBroker(t)
	metadata := t.TempDir() + "/metadata"
	require.NoError(t, os.CopyFS(metadata, os.DirFS(b.DataDir)))
	said := refusedStart(t, "log.dirs="+b.DataDir, "metadata.log.dir="+metadata)
	require.Contains(t, said, b.DataDir)
	require.Contains(t, said, "in use by another process")
	require.Contains(t, said, "stop the other broker or choose another directory")
	said = refusedStart(t, "log.dirs="+t.TempDir(), "metadata.log.dir="+b.DataDir)
	require.Contains(t, said, b.DataDir)
	require.NoError(t, brokerproc.AwaitAnswer(t.Context(), b.Addr), "the first goes on")
}

func TestTheDirectoryOfAnotherClusterIsRefused(t *testing.T) {
	b := startBroker(t)
	require.NoError(t, b.Stop())
	before, err := os.ReadDir(b.DataDir)
	require.NoError(t, err)
	another := startBroker(t)
	require.NoError(t, another.Stop())
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, set := range [][]string{
		{"log.dirs=" + another.DataDir + "," + b.DataDir},
		{"log.dirs=" + fresh + "," + b.DataDir, "metadata.log.dir=" + another.DataDir},
	} {
		said := refusedStart(t, set...)
		require.Contains(t, said, b.DataDir)
		require.Contains(t, said, "belongs to another broker")
	}
	require.NoDirExists(t, fresh)
	after, err := os.ReadDir(b.DataDir)
	require.NoError(t, err)
	require.Equal(t, names(before), names(after), "nothing was touched")
	require.NoError(t, b.Start(t.Context()))
}

func names(entries []os.DirEntry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// A file where the directory should be stands for whatever keeps a directory
// from being made: permissions do not, for root.
func TestADirectoryThatCannotBeMadeIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	dir := filepath.Join(file, "data")
	said := refusedStart(t, "log.dirs="+dir, "metadata.log.dir="+t.TempDir())
	require.Contains(t, said, "log.dirs")
	require.Contains(t, said, dir)
	require.Contains(t, said, "not a directory")
}

// TestNoSecondClusterIsFoundedOverTheFirst looks for the metadata log where it is
// not.
func TestNoSecondClusterIsFoundedOverTheFirst(t *testing.T) {
	b := startBroker(t)
	orders := newTopic(t, b.Addr, "orders", 1, nil)
	code, _ := orders.produce(0, "before")
	require.Zero(t, code)
	require.NoError(t, b.Stop())
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, set := range [][]string{
		{"log.dirs=" + fresh + "," + b.DataDir},
		{"log.dirs=" + b.DataDir, "metadata.log.dir=" + fresh},
	} {
		said := refusedStart(t, set...)
		require.Contains(t, said, "there is one in "+b.DataDir+"/election-raft: set metadata.log.dir="+b.DataDir)
		require.NoDirExists(t, fresh)
	}

	raft, away := filepath.Join(b.DataDir, "election-raft"), filepath.Join(b.DataDir, "away")
	require.NoError(t, os.Rename(raft, away))
	for range 2 {
		said := refusedStart(t, "log.dirs="+b.DataDir)
		require.Contains(t, said, "restore the log from a copy")
		require.NoDirExists(t, raft)
	}
	require.NoError(t, os.Rename(away, raft))
	b.Args = append(b.Args, "-X", "log.dirs="+fresh+","+b.DataDir, "-X", "metadata.log.dir="+b.DataDir)
	require.NoError(t, b.Start(t.Context()))
	require.Equal(t, []string{"before"}, orders.known(b.Addr).values(0))
}
