package segment

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// engine keeps logs in mounted directories.
type engine struct {
	env    module.Env
	log    hclog.Logger
	config Config
	cache  *fileCache
	// fileIDs is the last storage.File.ID given out.
	fileIDs atomic.Uint64
	// unique tells ids made in one life of the engine apart.
	unique atomic.Uint64

	mu          sync.Mutex
	directories map[string]*directory
}

func newEngine(env module.Env, c Config) *engine {
	log := env.Log
	if log == nil {
		log = hclog.NewNullLogger()
	}
	e := &engine{env: env, log: log, config: c, directories: map[string]*directory{}}
	e.cache, e.env.FS = newFileCache(env.FS, c.MaxOpenFiles)
	return e
}

// newEngineWithin is an engine in a process that may have limit descriptors.
func newEngineWithin(limit uint64, env module.Env, c Config) *engine {
	configured := c.MaxOpenFiles
	c.MaxOpenFiles = withinDescriptors(configured, limit)
	e := newEngine(env, c)
	if c.MaxOpenFiles < configured {
		e.log.Warn("max.open.files is more than half of the descriptors that the process may have and is cut; raise the limit (ulimit -n) or set less",
			"max.open.files", configured, "limit", limit, "acting", c.MaxOpenFiles)
	}
	return e
}

// uuid makes an id that no other call, here or on another node, makes.
func (e *engine) uuid() [16]byte {
	return uuid(e.env.Node, e.env.Seed, e.env.Clock.Now().UnixNano(), e.unique.Add(1))
}

func (e *engine) directory(path string) (*directory, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.directories[filepath.Clean(path)]
	if d == nil {
		return nil, module.Invalidf("directory %s is not mounted", path)
	}
	return d, nil
}

// Mount implements [storage.Engine].
func (e *engine) Mount(_ context.Context, m storage.Mount) (storage.Mounted, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m.Dir = filepath.Clean(m.Dir)
	if e.directories[m.Dir] != nil {
		return storage.Mounted{}, storage.ErrDirectoryInUse.With("%s is mounted already", m.Dir)
	}
	d, mounted, err := mount(e, m)
	if err != nil {
		return storage.Mounted{}, err
	}
	e.directories[m.Dir] = d
	return mounted, nil
}

// Unmount implements [storage.Engine].
func (e *engine) Unmount(ctx context.Context, dir string) error {
	d, err := e.directory(dir)
	if err != nil {
		return err
	}
	err = d.unmount(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.directories, d.path)
	return err
}

// Open implements [storage.Engine].
func (e *engine) Open(_ context.Context, o storage.Open) (storage.Log, storage.Recovery, error) {
	d, err := e.directory(o.Dir)
	if err != nil {
		return nil, storage.Recovery{}, err
	}
	l, recovery, err := d.open(o)
	if err != nil {
		return nil, recovery, err
	}
	return l, recovery, nil
}

// Remove implements [storage.Engine]. The folder gets another name first, so
// that a crash does not leave half a log under the old one.
func (e *engine) Remove(_ context.Context, dir string, id storage.ID) error {
	d, err := e.directory(dir)
	if err != nil {
		return err
	}
	return d.remove(id)
}

// SaveHighWatermarks implements [storage.Engine].
func (e *engine) SaveHighWatermarks(_ context.Context, dir string, marks []storage.HighWatermark) error {
	d, err := e.directory(dir)
	if err != nil {
		return err
	}
	return d.saveHighWatermarks(marks)
}

// YieldFiles implements [storage.FileYielder].
func (e *engine) YieldFiles(n, leave int) int { return e.cache.yield(n, leave) }

// Stop implements [module.Stopper]: it lets go of what is still mounted.
func (e *engine) Stop(ctx context.Context) error {
	e.mu.Lock()
	var paths []string
	for path := range e.directories {
		paths = append(paths, path)
	}
	e.mu.Unlock()
	var err error
	for _, path := range paths {
		err = errors.Join(err, e.Unmount(ctx, path))
	}
	return err
}

func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
