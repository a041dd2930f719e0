package memory

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

type engine struct {
	env module.Env

	mu          sync.Mutex
	directories map[string]*directory
}

// directory outlives its mounting, as one on a disk does.
type directory struct {
	id      [16]byte
	cluster string
	node    int32
	mounted bool
	logs    map[name]*partitionLog
}

type name struct {
	topic     string
	partition int32
}

func newEngine(env module.Env) *engine {
	return &engine{env: env, directories: map[string]*directory{}}
}

// Mount implements [storage.Engine].
func (e *engine) Mount(_ context.Context, m storage.Mount) (storage.Mounted, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	path := filepath.Clean(m.Dir)
	d := e.directories[path]
	switch {
	case d == nil:
		d = &directory{id: directoryID(m, path), cluster: m.ClusterID, node: m.Node, logs: map[name]*partitionLog{}}
		e.directories[path] = d
	case d.mounted:
		return storage.Mounted{}, storage.ErrDirectoryInUse.With("%s is mounted already", path)
	case d.cluster != m.ClusterID || d.node != m.Node:
		return storage.Mounted{}, storage.ErrForeignDirectory.With("%s is of cluster %q node %d, this broker is of cluster %q node %d",
			path, d.cluster, d.node, m.ClusterID, m.Node)
	}
	d.mounted = true
	mounted := storage.Mounted{DirectoryID: d.id, Clean: true}
	for _, l := range d.logs {
		mounted.Logs = append(mounted.Logs, l.id)
	}
	return mounted, nil
}

// directoryID makes an id of version 4, the same in each process: what was in
// the directory is gone, as is known of this engine, but the directory is not
// missing.
func directoryID(m storage.Mount, path string) [16]byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", m.ClusterID, m.Node, path))
	id := [16]byte(sum[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// Unmount implements [storage.Engine].
func (e *engine) Unmount(_ context.Context, dir string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.directory(dir)
	if err != nil {
		return err
	}
	for _, l := range d.logs {
		l.close()
	}
	d.mounted = false
	return nil
}

func (e *engine) directory(path string) (*directory, error) {
	d := e.directories[filepath.Clean(path)]
	if d == nil || !d.mounted {
		return nil, module.Invalidf("directory %s is not mounted", path)
	}
	return d, nil
}

// Open implements [storage.Engine]. Each opening has a handle of its own, so
// that one that was closed stays so.
func (e *engine) Open(_ context.Context, o storage.Open) (storage.Log, storage.Recovery, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.directory(o.Dir)
	if err != nil {
		return nil, storage.Recovery{}, err
	}
	key := name{o.ID.Topic, o.ID.Partition}
	l := d.logs[key]
	switch {
	case l == nil:
		l = newLog(o.ID)
	case l.isOpen():
		return nil, storage.Recovery{}, module.Invalidf("log %s-%d in %s is open already", o.ID.Topic, o.ID.Partition, o.Dir)
	case l.id.TopicID != o.ID.TopicID:
		return nil, storage.Recovery{}, module.Invalidf("log %s-%d in %s is of topic id %x, not %x; remove it first",
			o.ID.Topic, o.ID.Partition, o.Dir, l.id.TopicID, o.ID.TopicID)
	default:
		l = l.reopened()
	}
	l.config = o.Config
	d.logs[key] = l
	return l, storage.Recovery{Compacted: l.compacted}, nil
}

// Remove implements [storage.Engine].
func (e *engine) Remove(_ context.Context, dir string, id storage.ID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.directory(dir)
	if err != nil {
		return err
	}
	key := name{id.Topic, id.Partition}
	l := d.logs[key]
	if l == nil || l.id.TopicID != id.TopicID {
		return nil
	}
	if l.isOpen() {
		return module.Invalidf("log %s-%d in %s is open; close it before it is removed", id.Topic, id.Partition, dir)
	}
	delete(d.logs, key)
	return nil
}

// SaveHighWatermarks implements [storage.Engine]. Nobody can look at a directory
// that is not there.
func (e *engine) SaveHighWatermarks(_ context.Context, dir string, _ []storage.HighWatermark) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := e.directory(dir)
	return err
}
