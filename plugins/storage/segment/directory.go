package segment

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// directory is one mounted directory.
type directory struct {
	engine *engine
	files  vfs.FS
	path   string
	log    hclog.Logger
	lock   io.Closer

	mu sync.Mutex
	// logs has every log in the directory, open or not.
	logs map[partition]*logState
	// removed are logs whose offsets may still be in the checkpoints, and the
	// number of the removal. A log of the same name must not be taken for one of
	// them after a crash, so it is not opened before they are written.
	removed  map[partition]uint64
	removals uint64
	// startsOnDisk is the number of entries of log-start-offset-checkpoint.
	startsOnDisk int
	// watermarks is the content of replication-offset-checkpoint.
	watermarks offsets
	// pending are the calls that the clock still owes: deletions, and the next
	// writing of recovery points.
	pending map[*task]struct{}
	armed   bool
	stopped bool
	running int
	idle    *sync.Cond

	// compacted is the content of cleaner-offset-checkpoint; compactedNoted says
	// that the file lacks something of it.
	compacted      offsets
	compactedNoted bool
	// failure is the first error of the disk, nil while there was none.
	failure atomic.Pointer[error]

	// writing is held while a checkpoint is written, so that an older one does
	// not come after a newer one. It is taken before mu.
	writing sync.Mutex
}

// logState is what a directory knows of one log.
type logState struct {
	id storage.ID
	// open is nil while the log is closed.
	open    *partitionLog
	opening bool
	// clean says that the log needs no recovery when it is opened.
	clean bool
	// poisoned is the error of a sync; what the disk has then cannot be known
	// before the pages have left the kernel's memory.
	poisoned error
	// point and start are the recovery point and the start offset of a closed
	// log, 0 for unknown. pointOnDisk is the former as it stands in the file.
	point, start, pointOnDisk int64
}

type task struct{ timer clock.Timer }

func (d *directory) open(o storage.Open) (*partitionLog, storage.Recovery, error) {
	p := partitionOf(o.ID)
	if err := d.failed(); err != nil {
		return nil, storage.Recovery{}, err
	}
	if err := errors.Join(d.setAside(p, o.ID), d.forgetRemoved(p)); err != nil {
		return nil, storage.Recovery{}, d.openError(p, err)
	}
	state, err := d.reserve(p, o.ID)
	if err != nil {
		return nil, storage.Recovery{}, err
	}
	l, recovery, err := openLog(d, o, *state)
	d.mu.Lock()
	defer d.mu.Unlock()
	state.opening = false
	if err != nil {
		if state.id == (storage.ID{}) {
			delete(d.logs, p)
		}
		return nil, recovery, d.openError(p, err)
	}
	state.id, state.open, state.clean = l.id, l, false
	d.catchUpLater(l)
	recovery.Compacted = min(d.compacted[p], l.end)
	return l, recovery, nil
}

// openError says that the disk is full or the process has too many files open,
// in which case the log can be opened once that is over, or that the disk has
// failed. It leaves other errors as they are.
func (d *directory) openError(p partition, err error) error {
	switch {
	case diskFull(err):
		return storage.ErrFull.With("cannot open %s in %s: %v", p, d.path, err)
	case noDescriptor(err):
		return storage.ErrNoDescriptor.With("cannot open %s in %s: %v", p, d.path, err)
	}
	return d.diskError(err)
}

// reserve sees to it that a log is opened once.
func (d *directory) reserve(p partition, id storage.ID) (*logState, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	state := d.logs[p]
	switch {
	case d.stopped:
		return nil, module.Invalidf("directory %s is not mounted", d.path)
	case state == nil:
		state = &logState{clean: true}
		d.logs[p] = state
	case state.open != nil || state.opening:
		return nil, module.Invalidf("log %s in %s is open already", p, d.path)
	case state.poisoned != nil:
		return nil, storage.ErrClosed.With("%s in %s could not be synced (%v) and can be opened again after a restart", p, d.path, state.poisoned)
	case state.id.TopicID != id.TopicID && state.id.TopicID != [16]byte{} && id.TopicID != [16]byte{}:
		return nil, module.Invalidf("log %s in %s is of topic id %s, not %s; remove it first",
			p, d.path, encodeID(state.id.TopicID), encodeID(id.TopicID))
	}
	state.opening = true
	return state, nil
}

// closed takes back what a log knew when it was closed.
func (d *directory) closed(l *partitionLog, failure error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	state := d.logs[partitionOf(l.id)]
	state.open = nil
	state.clean = failure == nil
	state.point, state.start = l.durable, l.start
	if l.syncFailure != nil {
		state.poisoned = l.syncFailure
	}
}

func (d *directory) openLogs() []*partitionLog {
	d.mu.Lock()
	defer d.mu.Unlock()
	var logs []*partitionLog
	for _, state := range d.logs {
		if state.open != nil {
			logs = append(logs, state.open)
		}
	}
	return logs
}

func (d *directory) allClean() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, state := range d.logs {
		if !state.clean {
			return false
		}
	}
	return true
}
