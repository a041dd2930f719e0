package storagetest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

var mountTests = map[string]func(*testing.T, *fixture){
	"a directory keeps its id and knows its logs": func(t *testing.T, f *fixture) {
		first := f.mount()
		require.NotZero(t, first.DirectoryID)
		require.Empty(t, first.Logs)
		require.True(t, first.Clean, "there is nothing that an earlier stop could have left")
		require.Equal(t, storage.Recovery{}, f.openLog(small()))
		_, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: orders(7), Config: small()})
		require.NoError(t, err)
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir), "unmounting closes the logs")
		_, err = f.log.Bounds(t.Context())
		require.ErrorIs(t, err, storage.ErrClosed)
		second := f.mount()
		require.Equal(t, first.DirectoryID, second.DirectoryID)
		require.ElementsMatch(t, []storage.ID{orders(0), orders(7)}, second.Logs)
		require.True(t, second.Clean)
	},
	"two directories are apart": func(t *testing.T, f *fixture) {
		one := f.mount()
		two, err := f.engine.Mount(t.Context(), storage.Mount{Dir: f.dir + "2", ClusterID: cluster, Node: node})
		require.NoError(t, err)
		require.NotEqual(t, one.DirectoryID, two.DirectoryID)
		f.openLog(small())
		f.fill(3)
		other, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir + "2", ID: orders(0), Config: small()})
		require.NoError(t, err)
		b, err := other.Bounds(t.Context())
		require.NoError(t, err)
		require.Zero(t, b.End)
	},
	"a directory in use is refused": func(t *testing.T, f *fixture) {
		f.mount()
		_, err := f.engine.Mount(t.Context(), storage.Mount{Dir: f.dir, ClusterID: cluster, Node: node})
		require.ErrorIs(t, err, storage.ErrDirectoryInUse)
		require.Equal(t, module.Fatal, module.ClassOf(err))
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir))
		f.mount()
	},
	"another broker's directory is refused": func(t *testing.T, f *fixture) {
		f.mount()
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir))
		for _, m := range []storage.Mount{{Dir: f.dir, ClusterID: "another", Node: node}, {Dir: f.dir, ClusterID: cluster, Node: node + 1}} {
			_, err := f.engine.Mount(t.Context(), m)
			require.ErrorIs(t, err, storage.ErrForeignDirectory)
			require.ErrorContains(t, err, cluster)
			require.ErrorContains(t, err, m.ClusterID)
		}
		f.mount()
	},
	"what is not mounted is refused": func(t *testing.T, f *fixture) {
		_, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: orders(0), Config: small()})
		require.Equal(t, module.Invalid, module.ClassOf(err), "%v", err)
		require.Error(t, f.engine.Unmount(t.Context(), f.dir))
		require.Error(t, f.engine.Remove(t.Context(), f.dir, orders(0)))
	},
	"a log is opened once": func(t *testing.T, f *fixture) {
		f.begin()
		_, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: orders(0), Config: small()})
		require.Equal(t, module.Invalid, module.ClassOf(err), "%v", err)
		require.NoError(t, f.log.Close(t.Context()))
		f.openLog(small())
	},
	"a log of another topic id is set aside or refused": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(2)
		require.NoError(t, f.log.Close(t.Context()))
		later := orders(0)
		later.TopicID[0]++
		log, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: later, Config: small()})
		if err != nil {
			require.Equal(t, module.Invalid, module.ClassOf(err), "%v", err)
			require.NoError(t, f.engine.Remove(t.Context(), f.dir, orders(0)))
			log, _, err = f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: later, Config: small()})
		}
		require.NoError(t, err)
		b, err := log.Bounds(t.Context())
		require.NoError(t, err)
		require.Equal(t, storage.Bounds{}, b, "nothing of the other log is in it")
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir))
		require.Equal(t, []storage.ID{later}, f.mount().Logs)
	},
	"removed logs are gone": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(10)
		require.NoError(t, f.log.Trim(t.Context(), 4))
		_, err := f.log.Sync(t.Context())
		require.NoError(t, err)
		require.Error(t, f.engine.Remove(t.Context(), f.dir, orders(0)), "the log is open")
		require.NoError(t, f.log.Close(t.Context()))
		other := orders(0)
		other.TopicID[0]++
		require.NoError(t, f.engine.Remove(t.Context(), f.dir, other), "that log is not there")
		require.NoError(t, f.engine.Remove(t.Context(), f.dir, orders(0)))
		require.NoError(t, f.engine.Remove(t.Context(), f.dir, orders(0)), "nor is this one now")
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir))
		require.Empty(t, f.mount().Logs)
		f.openLog(small())
		require.Equal(t, storage.Bounds{}, f.bounds(), "nothing of the old log comes back")
		_, _, ok, err := f.log.LoadState(t.Context(), everything)
		require.NoError(t, err)
		require.False(t, ok)
	},
	"paths are cleaned": func(t *testing.T, f *fixture) {
		f.mount()
		_, err := f.engine.Mount(t.Context(), storage.Mount{Dir: f.dir + string(filepath.Separator), ClusterID: cluster, Node: node})
		require.ErrorIs(t, err, storage.ErrDirectoryInUse)
	},
}
