package segment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func TestTwoEnginesDoNotShareADirectory(t *testing.T) {
	dir := t.TempDir()
	m := storage.Mount{Dir: dir, ClusterID: "c", Node: 1}
	one := newEngine(module.Env{Clock: clock.Real(), FS: vfs.OS(), Node: 1}, Defaults())
	two := newEngine(module.Env{Clock: clock.Real(), FS: vfs.OS(), Node: 1}, Defaults())
	mounted, err := one.Mount(t.Context(), m)
	require.NoError(t, err)
	_, err = two.Mount(t.Context(), m)
	require.ErrorIs(t, err, storage.ErrDirectoryInUse)
	require.NoError(t, one.Unmount(t.Context(), dir))
	again, err := two.Mount(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mounted, again)
	require.NoError(t, two.Stop(t.Context()))
}

func TestKafkasPropertiesAreUnderstood(t *testing.T) {
	p, err := decodeProperties([]byte("#\n#Sun Nov 29 10:00:00 UTC 2026\ncluster.id=Zx0Yq3nVTjyWk0mmkZ7n6Q\nversion=1\ndirectory.id=W69RdRtCSmqwez2y6sCCFg\nnode.id=7\n"))
	require.NoError(t, err)
	require.Equal(t, "Zx0Yq3nVTjyWk0mmkZ7n6Q", p.cluster)
	require.EqualValues(t, 7, p.node)
	again, err := decodeProperties(p.encode())
	require.NoError(t, err)
	require.Equal(t, p, again)
	_, err = decodeProperties([]byte("version=0\nbroker.id=1\n"))
	require.Error(t, err)
}

func TestNamesOfFolders(t *testing.T) {
	for name, want := range map[string]partition{
		"orders-0": {"orders", 0}, "a-b-12": {"a-b", 12}, "--1": {"-", 1},
	} {
		got, ok := parsePartition(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	for _, name := range []string{"orders", "orders-", "-1", "orders-01", "orders-x", "orders-0.abc-delete", "orders-0.abc-stray"} {
		_, ok := parsePartition(name)
		require.False(t, ok, name)
	}
	long := awayName(partition{strings.Repeat("x", 249), 100_000}, [16]byte{1}, removedSuffix)
	require.LessOrEqual(t, len(long), maxNameBytes)
	require.True(t, strings.HasSuffix(long, "-100000.01000000000000000000000000000000-delete"))
}

func TestARemovalThatACrashCutShortIsFinished(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.append(0, 3)
	o.stop()
	require.NoError(t, disk.Rename("/data/orders-0", "/data/"+awayName(partition{"orders", 0}, [16]byte{9}, removedSuffix)))
	o = start(t, disk, small())
	require.Empty(t, o.mounted.Logs)
	require.Equal(t, storage.Bounds{}, o.bounds(), "the recovery point of the removed log is not this one's")
	entries, err := disk.ReadDir("/data")
	require.NoError(t, err)
	for _, e := range entries {
		require.NotContains(t, e.Name(), removedSuffix)
	}
	o.stop()
}

func TestADirectoryThatIsMadeOutlastsAPowerCut(t *testing.T) {
	disk := vfs.NewMem()
	e := newEngine(module.Env{Clock: clock.Real(), FS: disk, Node: 1}, Defaults())
	m := storage.Mount{Dir: "/var/lib/data", ClusterID: "c", Node: 1}
	mounted, err := e.Mount(t.Context(), m)
	require.NoError(t, err)
	log, _, err := e.Open(t.Context(), storage.Open{Dir: m.Dir, ID: topic, Config: small()})
	require.NoError(t, err)
	_, err = log.Append(t.Context(), storage.Append{Batches: batchFor(0, 0, 3)})
	require.NoError(t, err)
	_, err = log.Sync(t.Context())
	require.NoError(t, err)
	again := newEngine(module.Env{Clock: clock.Real(), FS: disk.CrashClone(vfs.KeepNone, 1), Node: 1}, Defaults())
	found, err := again.Mount(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, []storage.ID{topic}, found.Logs)
	require.Equal(t, mounted.DirectoryID, found.DirectoryID)
}
