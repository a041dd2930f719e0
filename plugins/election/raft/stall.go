package raft

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

const (
	// stallPause is between two tries to go on.
	stallPause = time.Second
	// enoughRoom is what has to be free on the disk before the log is read anew:
	// with less, the next change would find it full again.
	enoughRoom = 64 << 10
)

// scarce is what a write can fail for that may be given back, and what is to be
// done for it. All else says that the disk has failed.
var scarce = []struct {
	err    error
	remedy string
}{
	{syscall.ENOSPC, "make room on its disk"},
	{syscall.EDQUOT, "raise the quota, or make room"},
	{syscall.EMFILE, "raise the limit of open files"},
	{syscall.ENFILE, "raise the machine's limit of open files"},
	{syscall.ENOMEM, "give the machine memory"},
}

// stalledBy is ErrStalled if err is for want of something scarce, and else err.
func stalledBy(err error) error {
	for _, s := range scarce {
		if errors.Is(err, s.err) {
			return election.ErrStalled.With("%v: %s, and it goes on by itself", err, s.remedy)
		}
	}
	return err
}

// replace puts away a member that could not write, and returns one that can;
// nil if there will be none.
//
// What the first one was writing is on the disk, or not, or in part, and what it
// holds in memory may differ from that. So nothing of it is used again: the next
// is made of the files, as at a start, and leads under another epoch.
func (r *Raft) replace(m *member, cause error) *member {
	if err := m.journal.close(); err != nil {
		r.env.Log.Debug("the metadata log is let go", "error", err)
	}
	why := stalledBy(cause)
	passes := errors.Is(why, election.ErrStalled)
	if passes {
		r.env.Log.Error("nothing can be written to the metadata log, so that no topic, config or producer id is made or changed; "+
			"this is tried again each second, and what is written already stays", "error", why)
		r.board.update(func() { r.board.stalled = why })
	} else {
		r.fail(cause)
	}
	m.pending.refuse(why)
	if !passes {
		return nil
	}
	return r.waitUntilWritable(why)
}

// waitUntilWritable returns nil if the module is stopped first, or the disk fails.
func (r *Raft) waitUntilWritable(why error) *member {
	for r.refuseFor(stallPause, why) {
		next, err := r.reopen()
		if err == nil {
			r.env.Log.Info("the metadata log is written again")
			return next
		}
		if !errors.Is(stalledBy(err), election.ErrStalled) {
			r.fail(err)
			return nil
		}
		r.env.Log.Debug("still nothing can be written to the metadata log", "error", err)
	}
	r.board.close(errStopped)
	return nil
}

// refuseFor answers whoever wants something written, and returns false when the
// module is stopped before the pause is over.
func (r *Raft) refuseFor(pause time.Duration, why error) bool {
	over := make(chan struct{})
	timer := r.env.Clock.AfterFunc(pause, func() { close(over) })
	defer timer.Stop()
	for {
		select {
		case p := <-r.proposals:
			p.done <- answer{err: why}
		case f := <-r.forgets:
			f.done <- why
		case <-over:
			return true
		case <-r.quit:
			return false
		}
	}
}

// reopen makes a member that has written its first entry. It is not shown
// before: until then it does not know what is committed.
func (r *Raft) reopen() (*member, error) {
	if err := r.findRoom(); err != nil {
		return nil, err
	}
	apart := newBoard()
	m, err := openMember(r.env, r.config, r.openLog, r.env.Log.Debug, apart)
	if err != nil {
		return nil, err
	}
	if err = m.settle(); err == nil {
		err = r.checkKept(apart)
	}
	if err != nil {
		_ = m.journal.close() // the first error is the one to report
		return nil, err
	}
	m.board = r.board
	r.board.take(apart)
	return m, nil
}

// findRoom fails if there is not enough room.
func (r *Raft) findRoom() error {
	path := filepath.Join(r.env.Dir, "room")
	err := writeSynced(r.env.FS, path, make([]byte, enoughRoom))
	if left := r.env.FS.Remove(path); left != nil && !errors.Is(left, fs.ErrNotExist) {
		err = errors.Join(err, left)
	}
	return err
}

// checkKept makes sure that all that was shown is there again.
func (r *Raft) checkKept(again *board) (err error) {
	r.board.view(func() {
		if shown, kept := r.board.ledger.committed(), again.ledger.committed(); kept < shown {
			err = module.Fatalf("metadata log folder %s ends at entry %d, but %d was committed: %s", r.env.Dir, kept, shown, restore)
		}
	})
	return err
}
