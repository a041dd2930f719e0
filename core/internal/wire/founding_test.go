package wire

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// keeping is an election module that keeps its log in its directory, as raft
// does, as far as that goes: it founds a new one in whatever it finds.
func keeping(j *journal) []module.Factory {
	factories := wholeModules(j, nil)
	for i, f := range factories {
		if d := f.Descriptor(); d.Kind == module.Election {
			factories[i] = module.NewFactory(d, func() module.NoSettings { return module.NoSettings{} }, func(env module.Env, _ module.NoSettings) (any, error) {
				if err := os.MkdirAll(filepath.Join(env.Dir, "wal"), 0o700); err != nil {
					return nil, err
				}
				if err := os.WriteFile(filepath.Join(env.Dir, "wal", "1"), nil, 0o600); err != nil {
					return nil, err
				}
				return f.New(env, nil)
			})
		}
	}
	return factories
}

// tree makes files of these names under a folder, and returns the folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return root
}

func under(t *testing.T, root string) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return names
}

func ofCluster(id string) string {
	return "#\nversion=1\ncluster.id=" + id + "\nnode.id=1\n"
}

func TestNoSecondClusterIsFoundedOverTheDirectoriesOfOne(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		dirs  []string
		says  []string
		// begun says that the election module had to be asked.
		begun bool
	}{
		"a new first entry": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/election-raft/wal/1": "", "b/meta.properties": ofCluster("X")},
			dirs:  []string{"new", "a", "b"},
			says:  []string{`/a belongs to cluster "X"`, "/a/election-raft: set metadata.log.dir=", "make it the first of log.dirs"},
		},
		"another order": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/election-raft/wal/1": "", "b/meta.properties": ofCluster("X")},
			dirs:  []string{"b", "a"},
			says:  []string{`/b belongs to cluster "X"`, "/a/election-raft: set metadata.log.dir="},
		},
		"an emptied log, and one elsewhere": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/election-raft/wal/1": "", "b/election-raft/lock": ""},
			dirs:  []string{"b", "a"},
			says:  []string{"/a/election-raft: set metadata.log.dir="},
			begun: true,
		},
		"a first disk that is not mounted": {
			files: map[string]string{"a/.keep": "", "b/meta.properties": ofCluster("X")},
			dirs:  []string{"a", "b"},
			says:  []string{`/b belongs to cluster "X"`, "mount the disk, or restore the log from a copy"},
			begun: true,
		},
		"a log that was removed": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/orders-0/1.log": ""},
			dirs:  []string{"a"},
			says:  []string{`/a belongs to cluster "X"`, "restore the log from a copy", "a new cluster needs directories without meta.properties"},
			begun: true,
		},
		"a log that was emptied": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/election-raft/lock": ""},
			dirs:  []string{"a"},
			says:  []string{`/a belongs to cluster "X"`, "restore the log from a copy"},
			begun: true,
		},
		"two clusters": {
			files: map[string]string{"a/meta.properties": ofCluster("X"), "a/election-raft/wal/1": "", "b/meta.properties": ofCluster("Y")},
			dirs:  []string{"a", "new", "b"},
			says:  []string{`/b is of cluster "Y" and `, `/a of cluster "X"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, test.files)
			var set string
			for _, dir := range test.dirs {
				set += "," + filepath.Join(root, dir)
				require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o700))
			}
			before := under(t, root)
			var j journal
			err := newApp(t, keeping(&j), "log.dirs="+set[1:]).Run(t.Context())
			for _, part := range test.says {
				require.ErrorContains(t, err, part)
			}
			require.Equal(t, before, under(t, root), "nothing is left behind")
			require.NotContains(t, j.all(), "mount "+filepath.Join(root, test.dirs[0]))
			require.Equal(t, test.begun, len(j.all()) > 0)
		})
	}
}

func TestAClusterIsFoundedWhereThereIsNone(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, runApp(t, newApp(t, keeping(new(journal)), "log.dirs="+root+"/a,"+root+"/b"))())
	require.FileExists(t, root+"/a/election-raft/wal/1")
}

// TestADirectoryOfAnotherClusterIsRefusedBeforeANewOneBecomesOfThis has the
// metadata say another cluster than the directories.
func TestADirectoryOfAnotherClusterIsRefusedBeforeANewOneBecomesOfThis(t *testing.T) {
	f := founding{broker: &config.Broker{MetadataLogDir: "/m"}, owned: []ownedDirectory{{"/a", "X"}, {"/b", ""}}}
	require.NoError(t, f.agree("X", "the metadata log"))
	require.NoError(t, f.agree("", "the metadata log"))
	err := f.agree("Y", "the metadata log")
	require.ErrorIs(t, err, storage.ErrForeignDirectory)
	require.ErrorContains(t, err, `/a is of cluster "X" and the metadata log of cluster "Y"`)
	require.Error(t, f.mayFound())
	require.True(t, f.refused)
	require.NoError(t, f.stop(context.Background()), "an election in another process has no place here")
}

func TestMetaPropertiesThatCannotBeReadAreNamed(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(root+"/meta.properties", 0o700))
	err := newApp(t, wholeModules(new(journal), nil), "log.dirs="+root).Run(t.Context())
	require.ErrorContains(t, err, root+"/meta.properties")
}
