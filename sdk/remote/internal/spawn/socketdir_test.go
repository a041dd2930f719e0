package spawn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func tempBase(t *testing.T) string {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(base)) })
	t.Setenv("TMPDIR", base)
	return base
}

func TestStaleFoldersAreRemoved(t *testing.T) {
	base := tempBase(t)
	live, err := NewSocketDir()
	require.NoError(t, err)
	// What a host leaves that dies between start and connection.
	stale := filepath.Join(base, socketDirPrefix+"1")
	require.NoError(t, os.MkdirAll(filepath.Join(stale, "plugin-dir1"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(stale, "plugin-dir1", "plugin1"), nil, 0o600))
	// What is not such a folder.
	strange := filepath.Join(base, socketDirPrefix+"2")
	require.NoError(t, os.MkdirAll(filepath.Join(strange, "data"), 0o700))
	open := filepath.Join(base, socketDirPrefix+"3")
	require.NoError(t, os.Mkdir(open, 0o755))
	require.NoError(t, os.Chmod(open, 0o755))
	file := filepath.Join(base, socketDirPrefix+"4")
	require.NoError(t, os.WriteFile(file, nil, 0o600))

	second, err := NewSocketDir()
	require.NoError(t, err)
	require.NoDirExists(t, stale)
	for _, kept := range []string{live.Path, second.Path, strange, open} {
		require.DirExists(t, kept)
	}
	require.FileExists(t, file)

	require.NoError(t, live.Empty())
	require.NoError(t, live.Close())
	require.NoError(t, second.Close())
	require.NoDirExists(t, live.Path)
	require.NoDirExists(t, second.Path)
}

func TestSocketPathIsShortEnough(t *testing.T) {
	t.Setenv("TMPDIR", "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T")
	require.Equal(t, "/tmp", socketBase())
	added := len("/"+socketDirPrefix) + len("/plugin-dir") + len("/plugin") + 3*len("4294967295")
	require.Less(t, maxSocketBase+added, 104)
	require.False(t, strings.HasSuffix(socketBase(), "/"))
}
