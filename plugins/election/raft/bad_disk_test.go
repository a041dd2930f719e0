package raft

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/wal"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/vfs"
)

// place is where a disk can fail the log.
type place string

const (
	// ofHalf has a write leave half of what it was given.
	ofHalf place = "in the middle of a write"
	// ofNext has a write succeed, and the file that is begun after it not.
	ofNext     place = "where a segment is begun"
	ofSync     place = "at a sync"
	ofFolder   place = "at the sync of the folder"
	ofPoint    place = "at the recovery point"
	ofSnapshot place = "in a snapshot"
	ofRoom     place = "where room is looked for"
	ofShorten  place = "where the log is shortened"
)

// badDisk fails where a test has it fail, in this process only: the files are
// the machine's.
type badDisk struct {
	mu sync.Mutex
	// fails is asked at each place; nil is a disk that does not fail. In mu.
	fails func(place) error
	// opened counts how often the log was.
	opened atomic.Int64
}

func (d *badDisk) set(fails func(place) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = fails
}

// fail has every operation at one place fail until further notice.
func (d *badDisk) fail(at place, err error) {
	d.set(func(p place) error {
		if p == at {
			return err
		}
		return nil
	})
}

func (d *badDisk) mend() { d.set(nil) }

func (d *badDisk) at(p place) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fails == nil {
		return nil
	}
	return d.fails(p)
}

func (d *badDisk) open(dir string, o *wal.Options) (logFiles, error) {
	d.opened.Add(1)
	log, err := wal.Open(dir, o)
	return badLog{Log: log, disk: d, dir: dir}, err
}

// inject is for what goes through module.Env.
func (d *badDisk) inject(op vfs.Op) error {
	switch {
	case op.Kind == vfs.OpSyncDir && filepath.Base(op.Path) == "wal":
		return d.at(ofFolder)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "recovery-point":
		return d.at(ofPoint)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "room":
		return d.at(ofRoom)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "snapshot.tmp":
		if err := d.at(ofSnapshot); err != nil {
			return &vfs.ShortWrite{Written: op.Bytes / 2, Err: err}
		}
	}
	return nil
}

// badLog fails as package os would have tidwall/wal fail.
type badLog struct {
	*wal.Log
	disk *badDisk
	dir  string
}

func (l badLog) Write(index uint64, data []byte) error {
	if err := l.disk.at(ofHalf); err != nil {
		framed := append(binary.AppendUvarint(nil, uint64(len(data))), data...)
		return errors.Join(&fs.PathError{Op: "write", Path: l.dir, Err: err}, appendToNewest(l.dir, framed[:len(framed)/2]))
	}
	if err := l.Log.Write(index, data); err != nil {
		return err
	}
	if err := l.disk.at(ofNext); err != nil {
		return &fs.PathError{Op: "open", Path: l.dir, Err: err}
	}
	return nil
}

func (l badLog) Sync() error {
	if err := l.disk.at(ofSync); err != nil {
		return &fs.PathError{Op: "sync", Path: l.dir, Err: err}
	}
	return l.Log.Sync()
}

func (l badLog) TruncateFront(index uint64) error {
	if err := l.disk.at(ofShorten); err != nil {
		return &fs.PathError{Op: "write", Path: l.dir, Err: err}
	}
	return l.Log.TruncateFront(index)
}

func appendToNewest(dir string, data []byte) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(slices.Max(files), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// onBadDisk builds a module on a disk that can fail, and the clock that its next
// try waits for.
func onBadDisk(t *testing.T, dir string) (*Raft, *badDisk, *clock.Fake) {
	t.Helper()
	disk, hands := &badDisk{}, clock.NewFake(time.Unix(1_000_000, 0))
	env := environment(dir)
	env.FS, env.Clock = vfs.WithFaults(vfs.OS(), disk.inject), hands
	r := build(t, env)
	r.openLog = disk.open
	return r, disk, hands
}
