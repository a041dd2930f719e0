package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// propertiesFile is Kafka's mark of a log directory that belongs to a cluster. An
// engine that keeps none has directories that are never held to one.
const propertiesFile = "meta.properties"

// electionDir is where an election module of this name keeps the metadata log, if
// it does on this broker's disk.
func electionDir(metadataLogDir, module string) string {
	return filepath.Join(metadataLogDir, "election-"+module)
}

// founding sees to it that no second cluster is founded over the directories of
// one: they would be refused as another's, or its topics forgotten. It looks
// before anything is written.
type founding struct {
	broker *config.Broker
	fs     vfs.FS
	// election is the name of the election module, and in this process it keeps
	// its log under place; place is empty for one in a process of its own.
	election, place string

	// owned are the log directories that belong to a cluster.
	owned []ownedDirectory
	// before is the folders and files that were in place, place itself included,
	// before the module was started.
	before map[string]bool
	// refused is set when the start ends since the cluster would have been new.
	refused bool
}

type ownedDirectory struct{ dir, cluster string }

func newFounding(l life, b *config.Broker, choices []settings.Choice, files vfs.FS) *founding {
	f := &founding{broker: b, fs: files}
	for _, c := range choices {
		if c.Kind == module.Election {
			f.election = c.Name
			if c.Binding == settings.InProcess {
				f.place = electionDir(b.MetadataLogDir, c.Name)
			}
		}
	}
	l.hook(f.start, f.stop)
	return f
}

func (f *founding) start(context.Context) error {
	for _, dir := range f.broker.LogDirs {
		cluster, owned, err := clusterOf(f.fs, dir)
		if err != nil {
			return fmt.Errorf("log.dirs: cannot use %s: %w", dir, err)
		}
		if owned {
			f.owned = append(f.owned, ownedDirectory{dir, cluster})
		}
	}
	if len(f.owned) > 0 {
		if err := f.agree(f.owned[0].cluster, f.owned[0].dir); err != nil {
			return err
		}
	}
	if f.place == "" || len(f.owned) == 0 {
		return nil
	}
	f.before = map[string]bool{}
	found, err := f.look()
	if err != nil {
		return fmt.Errorf("metadata.log.dir: cannot look into %s: %w", f.place, err)
	}
	for _, path := range found {
		f.before[path] = true
	}
	// Whether a module keeps its log in its directory at all only it knows, but
	// one that did in another directory does.
	if elsewhere := f.elsewhere(); len(found) <= 1 && len(elsewhere) > 0 {
		return f.lost(elsewhere)
	}
	return nil
}

// stop comes after that of the election module, and removes what it has made in a
// start that was refused.
func (f *founding) stop(context.Context) error {
	if !f.refused || f.place == "" {
		return nil
	}
	found, err := f.look()
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range found {
		if !f.before[path] {
			errs = append(errs, f.fs.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}

// look lists place and all that is in it; nothing if it is not there.
func (f *founding) look() (paths []string, err error) {
	under := []string{f.place}
	for len(under) > 0 {
		at := under[0]
		under = under[1:]
		entries, err := f.fs.ReadDir(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		paths = append(paths, at)
		for _, e := range entries {
			if path := filepath.Join(at, e.Name()); e.IsDir() {
				under = append(under, path)
			} else {
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}

// mayFound is asked before a cluster gets its name, and errs if there is one.
func (f *founding) mayFound() error {
	if len(f.owned) == 0 {
		return nil
	}
	f.refused = true
	return f.lost(f.elsewhere())
}

// agree refuses directories of another cluster than the one that where is of.
func (f *founding) agree(cluster, where string) error {
	for _, o := range f.owned {
		// What has no id the engine has to judge.
		if o.cluster != cluster && o.cluster != "" && cluster != "" {
			return fmt.Errorf("log.dirs: cannot use %s: %w", o.dir, storage.ErrForeignDirectory.With(
				"%s is of cluster %q and %s of cluster %q; take one of the two out of the configuration", o.dir, o.cluster, where, cluster))
		}
	}
	return nil
}

// elsewhere are the log directories that have a metadata log and are not the one
// in which it is looked for.
func (f *founding) elsewhere() []string {
	var dirs []string
	for _, dir := range f.broker.LogDirs {
		at := electionDir(dir, f.election)
		if entries, err := f.fs.ReadDir(at); err == nil && len(entries) > 0 && at != f.place {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// lost is the sentence that users are told.
func (f *founding) lost(elsewhere []string) error {
	owned := f.owned[0]
	said := fmt.Sprintf("%s belongs to cluster %q, and its metadata log is not in metadata.log.dir, which is %s (the first of log.dirs, if it is not set)",
		owned.dir, owned.cluster, f.broker.MetadataLogDir)
	if len(elsewhere) > 0 {
		return module.Fatalf("%s; there is one in %s: set metadata.log.dir=%s, or make it the first of log.dirs",
			said, electionDir(elsewhere[0], f.election), elsewhere[0])
	}
	return module.Fatalf("%s, or there is nothing in it: mount the disk, or restore the log from a copy, or set metadata.log.dir to where it is; "+
		"a new cluster needs directories without %s", said, propertiesFile)
}

// clusterOf reads cluster.id of meta.properties; owned is false if there is no
// such file.
func clusterOf(files vfs.FS, dir string) (cluster string, owned bool, err error) {
	f, err := files.OpenFile(filepath.Join(dir, propertiesFile), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const most = 64 << 10 // it has four lines
	content, err := io.ReadAll(io.NewSectionReader(f, 0, most))
	if err != nil {
		return "", false, err
	}
	for line := range strings.Lines(string(content)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "cluster.id" {
			cluster = strings.TrimSpace(value)
		}
	}
	return cluster, true, nil
}
