package segment

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func mount(e *engine, m storage.Mount) (*directory, storage.Mounted, error) {
	files := e.env.FS
	if err := makeFolder(files, m.Dir); err != nil {
		return nil, storage.Mounted{}, module.Fatalf("log directory: %w", err)
	}
	lock, err := files.Lock(filepath.Join(m.Dir, lockFile))
	if errors.Is(err, vfs.ErrLocked) {
		return nil, storage.Mounted{}, storage.ErrDirectoryInUse.With("%s; stop the other broker or choose another directory", m.Dir)
	}
	if err != nil {
		return nil, storage.Mounted{}, module.Fatalf("log directory: %w", err)
	}
	d := &directory{
		engine: e, files: files, path: m.Dir, log: e.log.With("dir", m.Dir), lock: lock,
		logs: map[partition]*logState{}, removed: map[partition]uint64{},
	}
	d.idle = sync.NewCond(&d.mu)
	mounted, err := d.load(m)
	if err != nil {
		return nil, storage.Mounted{}, errors.Join(err, lock.Close())
	}
	return d, mounted, nil
}

// load reads what the last stop left. The note of a clean stop goes before
// anything else is done, so that a crash from here on is seen as one.
func (d *directory) load(m storage.Mount) (storage.Mounted, error) {
	properties, err := claim(d.files, m, d.engine.uuid())
	if err != nil {
		return storage.Mounted{}, err
	}
	found, err := d.find()
	if err != nil {
		return storage.Mounted{}, err
	}
	_, clean, err := readFile(d.files, filepath.Join(d.path, cleanShutdownFile))
	if err != nil {
		return storage.Mounted{}, err
	}
	if clean {
		err := errors.Join(d.files.Remove(filepath.Join(d.path, cleanShutdownFile)), d.files.SyncDir(d.path))
		if err != nil {
			return storage.Mounted{}, err
		}
	}
	if !clean {
		// A killed process may have left checkpoints whose names are not durable.
		if err := d.files.SyncDir(d.path); err != nil {
			return storage.Mounted{}, err
		}
	}
	points, starts := d.readOffsets(recoveryPointsFile), d.readOffsets(startOffsetsFile)
	for _, id := range found {
		p := partitionOf(id)
		d.logs[p] = &logState{id: id, clean: clean, point: points[p], pointOnDisk: points[p], start: starts[p]}
	}
	d.startsOnDisk = len(starts)
	d.watermarks, d.compacted = d.readOffsets(watermarksFile), d.readOffsets(cleanerOffsetsFile)
	gone := func(p partition, _ int64) bool { return d.logs[p] == nil }
	maps.DeleteFunc(d.watermarks, gone)
	maps.DeleteFunc(d.compacted, gone)
	// An offset of a log that is gone must not be taken for that of a later
	// log of the same name.
	if d.foreign(points) || d.foreign(starts) {
		if err := d.writeCheckpoints(); err != nil {
			return storage.Mounted{}, err
		}
	}
	return storage.Mounted{DirectoryID: properties.directory, Clean: clean || len(found) == 0, Logs: found}, nil
}

// foreign reports whether o has an offset of a log that is not there.
func (d *directory) foreign(o offsets) bool {
	for p := range o {
		if d.logs[p] == nil {
			return true
		}
	}
	return false
}

// readOffsets gives no offsets when the checkpoint cannot be used: then more
// is checked than would have to be, and nothing is lost.
func (d *directory) readOffsets(name string) offsets {
	content, _, err := readFile(d.files, filepath.Join(d.path, name))
	if err != nil {
		d.log.Warn("checkpoint cannot be read and is passed over", "file", name, "error", err)
		return nil
	}
	o, err := decodeOffsets(content)
	if err != nil {
		d.log.Warn("checkpoint is damaged and is passed over", "file", name, "error", err)
	}
	return o
}

// find lists the logs and removes those that were being deleted. Those that are
// set aside are nobody's.
func (d *directory) find() ([]storage.ID, error) {
	entries, err := d.files.ReadDir(d.path)
	if err != nil {
		return nil, err
	}
	var found []storage.ID
	var aside []string
	for _, entry := range entries {
		path := filepath.Join(d.path, entry.Name())
		if !entry.IsDir() {
			continue
		}
		if strings.HasSuffix(entry.Name(), removedSuffix) {
			if err := d.files.RemoveAll(path); err != nil {
				return nil, err
			}
			continue
		}
		if strings.HasSuffix(entry.Name(), straySuffix) {
			aside = append(aside, path)
		}
		p, ok := parsePartition(entry.Name())
		if !ok {
			continue
		}
		topicID, err := d.topicID(path)
		if err != nil {
			return nil, err
		}
		found = append(found, storage.ID{Topic: p.topic, TopicID: topicID, Partition: p.number})
	}
	if len(aside) > 0 {
		d.log.Warn("logs of earlier topics are set aside and take room: remove the folders once nobody needs them",
			"count", len(aside), "first", aside[0])
	}
	return found, nil
}

// topicID reads partition.metadata. A file that a crash left without content
// counts as none: it is synced before the first batch is.
func (d *directory) topicID(path string) (id [16]byte, err error) {
	content, found, err := readFile(d.files, filepath.Join(path, metadataFile))
	if err != nil && blameOf(err) == ofFile {
		d.log.Warn("partition.metadata cannot be read and is passed over", "log", filepath.Base(path), "error", err)
		return id, nil
	}
	if err != nil || !found {
		return id, err
	}
	id, err = decodeMetadata(content)
	if err != nil {
		d.log.Warn("partition.metadata is damaged and is passed over", "log", filepath.Base(path), "error", err)
	}
	return id, nil
}
