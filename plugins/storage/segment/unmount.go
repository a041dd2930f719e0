package segment

import (
	"context"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"sync"
)

// unmount closes all logs and notes that the stop was clean, if it was so for
// every log and none waits for its recovery.
func (d *directory) unmount(ctx context.Context) error {
	if d.failed() != nil {
		return d.abandon(ctx)
	}
	err := d.closeAll(ctx)
	d.stopTimers()
	clean := d.allClean()
	err = errors.Join(err, d.writeCheckpoints())
	if clean && err == nil {
		err = replaceFile(d.files, filepath.Join(d.path, cleanShutdownFile), []byte(`{"version":0,"brokerEpoch":-1}`))
	}
	return errors.Join(err, d.lock.Close())
}

const (
	// closedAtOnce is how many logs are closed side by side: concurrent syncs
	// share the journal's commits.
	closedAtOnce = 16
	// syncedTogether is the number of logs with something to sync from which on
	// the file system is synced as a whole. That costs one call and not several
	// for each log, but waits for what others wrote there too.
	syncedTogether = 256
)

// closeAll closes the logs that are still open. A stop has seconds, whatever
// the number of logs.
func (d *directory) closeAll(ctx context.Context) error {
	logs := d.openLogs()
	if len(logs) >= syncedTogether {
		d.syncTogether(logs)
	}
	return eachLog(slices.Values(logs), func(l *partitionLog) error { return l.Close(ctx) })
}

// syncTogether saves the closing of each log its syncs. If it cannot, each log
// makes its own, and tells of what fails.
func (d *directory) syncTogether(logs []*partitionLog) {
	works := completeAll(logs)
	if len(works) < syncedTogether {
		return
	}
	// The epochs take the place of others that have to stay until they are
	// durable; the second sync is for the new names.
	err := errors.Join(stageAll(works), d.files.SyncAll(d.path))
	if err == nil {
		err = errors.Join(swapAll(works), d.files.SyncAll(d.path))
	}
	for l, work := range works {
		switch {
		case err == nil:
			l.wereSynced(work)
		case work.epochs:
			l.epochs.behind()
		}
	}
	if err != nil {
		d.log.Debug("file system is not synced as a whole", "error", err)
	}
}

// completeAll has the logs write all that a clean stop writes, and returns what
// they have to sync then.
func completeAll(logs []*partitionLog) map[*partitionLog]syncWork {
	var mu sync.Mutex
	works := make(map[*partitionLog]syncWork, len(logs))
	// A log that cannot is left to its Close.
	_ = eachLog(slices.Values(logs), func(l *partitionLog) error {
		if l.writable() != nil || l.complete() != nil {
			return nil
		}
		if work := l.unsynced(true); !work.nothing() {
			mu.Lock()
			defer mu.Unlock()
			works[l] = work
		}
		return nil
	})
	return works
}

func stageAll(works map[*partitionLog]syncWork) error {
	return eachLog(maps.Keys(works), func(l *partitionLog) error {
		if works[l].epochs {
			return l.epochs.stage()
		}
		return nil
	})
}

func swapAll(works map[*partitionLog]syncWork) error {
	return eachLog(maps.Keys(works), func(l *partitionLog) error {
		if works[l].epochs {
			return l.epochs.swap()
		}
		return nil
	})
}

// eachLog goes on with the others when one fails.
func eachLog(logs iter.Seq[*partitionLog], do func(*partitionLog) error) error {
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		all   error
		slots = make(chan struct{}, closedAtOnce)
	)
	for l := range logs {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if err := do(l); err != nil {
				mu.Lock()
				defer mu.Unlock()
				all = errors.Join(all, err)
			}
		})
	}
	wait.Wait()
	return all
}
