package segment

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/storage"
)

// flush lets concurrent calls of Sync share their work: while one pass runs,
// all that come wait for the same next one, since the pass that runs may have
// begun before their batches were written.
type flush struct {
	mu sync.Mutex
	// running and next are nil when there is none.
	running, next *pass
}

// pass is one round of syncing. err may be read once done is closed.
type pass struct {
	done chan struct{}
	err  error
}

// Sync implements [storage.Log].
func (l *partitionLog) Sync(ctx context.Context) (int64, error) {
	l.mu.RLock()
	durable, nothing := l.durable, l.durable >= l.end && len(l.unsyncedStates) == 0
	var err error
	if l.closed || l.failure != nil {
		err = l.closedError()
	}
	l.mu.RUnlock()
	if err != nil || nothing {
		return durable, err
	}
	if err := l.flush.join(ctx, func() error { return l.syncAll(false) }); err != nil {
		return 0, err
	}
	l.dir.synced()
	return l.recoveryPoint(), nil
}

// join runs work, or waits for a run that begins after the call.
func (f *flush) join(ctx context.Context, work func() error) error {
	f.mu.Lock()
	if f.running == nil {
		mine := &pass{done: make(chan struct{})}
		f.running = mine
		f.mu.Unlock()
		return f.run(mine, work)
	}
	if f.next != nil {
		theirs := f.next
		f.mu.Unlock()
		return theirs.wait(ctx)
	}
	mine, before := &pass{done: make(chan struct{})}, f.running
	f.next = mine
	f.mu.Unlock()
	<-before.done
	return f.run(mine, work)
}

func (p *pass) wait(ctx context.Context) error {
	if _, came := deadline.Await(ctx, p.done); !came {
		return ctx.Err()
	}
	return p.err
}

// run does the work of p. Whoever leads the next pass waits for p to be done,
// so that running is p until then.
func (f *flush) run(p *pass, work func() error) error {
	p.err = work()
	f.mu.Lock()
	f.running, f.next = f.next, nil
	f.mu.Unlock()
	close(p.done)
	return p.err
}

// syncAll makes what is in the log durable; closing says that the active
// segment's indexes are too. An error leaves the log closed, and the directory
// with the word that it is not to be opened again: the kernel may have dropped
// the pages that it could not write, and a second sync would succeed without
// them.
func (l *partitionLog) syncAll(closing bool) error {
	l.shape.RLock()
	defer l.shape.RUnlock()
	work := l.unsynced(closing)
	if err := work.do(l); err != nil {
		if blameOf(err) == ofProcess && noDescriptor(err) {
			// What could not be opened was not synced either, and can be later.
			return storage.ErrNoDescriptor.With("%s: %v", l.path, err)
		}
		l.mu.Lock()
		l.syncFailure = err
		l.mu.Unlock()
		return l.fail(err)
	}
	l.wereSynced(work)
	if len(work.states) > 0 {
		l.dropStrayStates(slices.Max(work.states))
	}
	return nil
}

// wereSynced notes that work is done.
func (l *partitionLog) wereSynced(work syncWork) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range work.segments {
		u.segment.synced = u.written
		if u.indexes {
			u.segment.unsyncedIndexes = false
		}
	}
	l.unsyncedStates = l.unsyncedStates[len(work.states):]
	l.namesSynced = max(l.namesSynced, work.names)
	l.durable = max(l.durable, work.end)
}

// syncWork is what has to be synced for the log to be durable up to end.
type syncWork struct {
	end      int64
	segments []unsyncedSegment
	states   []int64
	epochs   bool
	// names is what namesSynced will be, 0 if it stays.
	names uint64
}

type unsyncedSegment struct {
	*segment
	written       uint64
	data, indexes bool
}

func (l *partitionLog) unsynced(closing bool) syncWork {
	l.mu.RLock()
	defer l.mu.RUnlock()
	w := syncWork{end: l.end}
	if closing && l.pristine() {
		return w
	}
	w.states, w.epochs = l.unsyncedStates, l.epochs.unsaved(closing && l.end > l.start)
	if l.renamed != l.namesSynced {
		w.names = l.renamed
	}
	for _, s := range l.segments {
		u := unsyncedSegment{segment: s, written: s.written, data: s.written != s.synced}
		u.indexes = s.unsyncedIndexes && (closing || s != l.active())
		if u.data || u.indexes {
			w.segments = append(w.segments, u)
		}
	}
	return w
}

func (w *syncWork) nothing() bool {
	return len(w.segments)+len(w.states) == 0 && !w.epochs && w.names == 0
}

func (w *syncWork) do(l *partitionLog) error {
	for _, u := range w.segments {
		if err := u.sync(); err != nil {
			return err
		}
	}
	for _, offset := range w.states {
		if err := syncFile(l.dir.files, filepath.Join(l.path, offsetName(offset, snapshotSuffix))); err != nil {
			return err
		}
	}
	if w.epochs {
		if err := l.epochs.save(); err != nil {
			return err
		}
	}
	if w.names == 0 {
		return nil
	}
	return l.syncNames()
}

// syncFolder makes names that are not durable yet so.
func (l *partitionLog) syncFolder() error {
	l.mu.RLock()
	work := syncWork{}
	if l.renamed != l.namesSynced {
		work.names = l.renamed
	}
	l.mu.RUnlock()
	if err := work.do(l); err != nil {
		return err
	}
	l.wereSynced(work)
	return nil
}

func (l *partitionLog) syncNames() error {
	return errors.Join(l.syncMetadata(), l.dir.files.SyncDir(l.path), l.dir.files.SyncDir(filepath.Dir(l.path)))
}

func (u unsyncedSegment) sync() error {
	if u.data {
		if err := u.file.sync(); err != nil {
			return err
		}
	}
	if !u.indexes {
		return nil
	}
	return errors.Join(u.offsets.file.sync(), u.times.file.sync())
}
