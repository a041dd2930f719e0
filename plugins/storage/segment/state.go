package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"slices"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// SaveState implements [storage.Log].
func (l *partitionLog) SaveState(_ context.Context, offset int64, state []byte) error {
	if err := l.writable(); err != nil {
		return err
	}
	path := filepath.Join(l.path, offsetName(offset, snapshotSuffix))
	err := writeUnsynced(l.dir.files, path+temporarySuffix, state)
	if err == nil {
		err = l.dir.files.Rename(path+temporarySuffix, path)
	}
	if err = l.dir.diskError(err); errors.Is(err, storage.ErrDirectoryFailed) {
		return err
	}
	if err != nil {
		return module.Retriablef("producer state %s cannot be written: %w", path, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsyncedStates = append(l.unsyncedStates, offset)
	l.renamed++
	return nil
}

// LoadState implements [storage.Log].
func (l *partitionLog) LoadState(_ context.Context, upTo int64) (int64, []byte, bool, error) {
	if err := l.readable(); err != nil {
		return 0, nil, false, err
	}
	for {
		offset, ok, err := l.newestState(upTo)
		if err != nil || !ok {
			return 0, nil, false, l.dir.diskError(err)
		}
		state, found, err := readFile(l.dir.files, filepath.Join(l.path, offsetName(offset, snapshotSuffix)))
		if err = l.dir.diskError(err); err != nil {
			return 0, nil, false, module.Fatalf("producer state of %s at %d: %w", l.path, offset, err)
		}
		if found {
			return offset, state, true, nil
		}
	}
}

// newestState is the offset of the newest state at or below upTo.
func (l *partitionLog) newestState(upTo int64) (newest int64, ok bool, err error) {
	err = l.eachState(func(offset int64) error {
		if offset <= upTo && (!ok || offset > newest) {
			newest, ok = offset, true
		}
		return nil
	})
	return newest, ok, err
}

// dropStatesAbove removes those above offset for good: they know batches that
// are gone, and none of them may be back once other batches stand there.
func (l *partitionLog) dropStatesAbove(offset int64) error {
	dropped := false
	err := l.dropStates(func(at int64) bool {
		dropped = dropped || at > offset
		return at > offset
	})
	if err != nil || !dropped {
		return err
	}
	l.mu.Lock()
	l.unsyncedStates = slices.DeleteFunc(slices.Clone(l.unsyncedStates), func(at int64) bool { return at > offset })
	l.mu.Unlock()
	return l.dir.files.SyncDir(l.path)
}

// dropStrayStates removes the states below newest, which is durable, that are at
// no segment's base offset, as Kafka does. The state that the first segment goes
// on from stays: who is in it may have no batch left.
func (l *partitionLog) dropStrayStates(newest int64) {
	l.mu.RLock()
	segments := l.segments
	l.mu.RUnlock()
	first, _, err := l.newestState(segments[0].base)
	if err == nil {
		err = l.dropStates(func(at int64) bool {
			return at < newest && at != first && segments[segmentAt(segments, at)].base != at
		})
	}
	if err != nil {
		l.log.Warn("producer states that nobody needs cannot be removed", "error", err)
	}
}

func (l *partitionLog) dropStates(unwanted func(offset int64) bool) error {
	return l.eachState(func(offset int64) error {
		if !unwanted(offset) {
			return nil
		}
		return removeFile(l.dir.files, filepath.Join(l.path, offsetName(offset, snapshotSuffix)))
	})
}

func (l *partitionLog) eachState(visit func(offset int64) error) error {
	entries, err := l.dir.files.ReadDir(l.path)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if offset, ok := parseOffsetName(entry.Name(), snapshotSuffix); ok {
			err = errors.Join(err, visit(offset))
		}
	}
	return err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// SaveHard implements [storage.Log]. The file is the CRC-32C of the value, and
// the value. The folder that it is in must outlast a crash as well.
func (l *partitionLog) SaveHard(_ context.Context, value []byte) error {
	if err := l.writable(); err != nil {
		return err
	}
	content := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(value)), crc32.Checksum(value, castagnoli))
	err := replaceFile(l.dir.files, filepath.Join(l.path, hardFile), append(content, value...))
	if err == nil {
		err = l.syncFolder()
	}
	if err != nil {
		return l.writeError(err)
	}
	return nil
}

// LoadHard implements [storage.Log].
func (l *partitionLog) LoadHard(context.Context) ([]byte, error) {
	if err := l.readable(); err != nil {
		return nil, err
	}
	path := filepath.Join(l.path, hardFile)
	content, found, err := readFile(l.dir.files, path)
	if err != nil || !found {
		return nil, l.dir.diskError(err)
	}
	if len(content) < 4 || crc32.Checksum(content[4:], castagnoli) != binary.BigEndian.Uint32(content) {
		return nil, module.Fatalf("%s is damaged; the replica cannot know what it promised and has to be replaced", path)
	}
	// A killed process may have left a value whose name is not durable yet: it
	// must not be lost any more once somebody has acted on it.
	if err := l.syncFolder(); err != nil {
		return nil, module.Retriablef("%s cannot be made durable: %w", path, err)
	}
	return content[4:], nil
}
