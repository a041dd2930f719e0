package raft

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// Raft is an election by Raft. Safe for concurrent use between Start and Stop.
type Raft struct {
	env    module.Env
	config Config
	board  *board
	lock   io.Closer

	proposals chan *proposal
	forgets   chan forget
	quit      chan struct{}
	// openLog opens the files of the log.
	openLog opener
	// ended is closed when the member is used no more.
	ended chan struct{}
	// closed is what closing the member came to; it is read after ended.
	closed error
	// saving lets one snapshot be written at a time.
	saving sync.Mutex
}

// forget asks the member to drop what a snapshot stands for.
type forget struct {
	header snapshotHeader
	done   chan error
}

var errStopped = module.NewError(module.Retriable, "election.stopped", "the election module was stopped")

// New makes an election that has not joined yet.
func New(env module.Env, c Config) (*Raft, error) {
	if env.Dir == "" {
		return nil, module.Invalidf("election/raft needs a folder of its own, and the host gave it none")
	}
	if env.Node < 0 {
		return nil, module.Invalidf("node.id is %d; election/raft needs one that is 0 or more", env.Node)
	}
	return &Raft{
		env: env, config: c, board: newBoard(),
		proposals: make(chan *proposal), forgets: make(chan forget),
		quit: make(chan struct{}), ended: make(chan struct{}), openLog: openFiles,
	}, nil
}

// Start recovers the log and joins.
func (r *Raft) Start(context.Context) error {
	if err := r.env.FS.MkdirAll(r.env.Dir, 0o750); err != nil {
		return module.Fatalf("metadata log folder %s cannot be made: %w; it is in metadata.log.dir, or else the first of log.dirs: "+
			"give that to the user that the broker runs as, or name another", r.env.Dir, err)
	}
	lock, err := r.env.FS.Lock(filepath.Join(r.env.Dir, "lock"))
	if errors.Is(err, vfs.ErrLocked) {
		return module.Fatalf("metadata log folder %s is in use by another broker: stop it, or give this one log.dirs of its own (and metadata.log.dir, if it is set)", r.env.Dir)
	}
	if errors.Is(err, fs.ErrPermission) {
		return module.Fatalf("metadata log folder %s: no permission to lock it: %w: give the folder and its files to the user that the broker runs as", r.env.Dir, err)
	}
	if err != nil {
		return module.Fatalf("metadata log folder %s cannot be locked: %w", r.env.Dir, err)
	}
	m, err := openMember(r.env, r.config, r.openLog, r.env.Log.Warn, r.board)
	if err != nil {
		_ = lock.Close() // the first error is the one to report
		return err
	}
	r.lock = lock
	go r.run(m)
	return nil
}

// run owns the member until the module is stopped or the disk fails. For want
// of something that may be given back, room on the disk first of all, the member
// is put away, and another one is made of what is on the disk.
func (r *Raft) run(m *member) {
	defer close(r.ended)
	for m != nil {
		err := r.serve(m)
		if err == nil {
			r.board.close(errStopped)
			r.closed = m.close()
			return
		}
		m = r.replace(m, err)
	}
}

// serve returns nil when the module is stopped, and an error after which the
// member must not be used.
func (r *Raft) serve(m *member) error {
	for {
		if err := m.settle(); err != nil {
			return err
		}
		select {
		case p := <-r.proposals:
			m.propose(p)
			r.proposeWaiting(m)
		case f := <-r.forgets:
			m.pending.forget = f.done
			if err := m.forget(f.header); err != nil {
				return err
			}
			m.pending.forget = nil
			f.done <- nil
		case <-r.quit:
			return nil
		}
	}
}

// fail ends the service: what is on the disk is not known any more.
func (r *Raft) fail(err error) {
	r.env.Log.Error("the metadata log has failed; it serves nothing more until the broker is started again", "error", err)
	r.board.close(err)
	r.closed = err
}

// proposeWaiting lets all that wait share the next write.
func (r *Raft) proposeWaiting(m *member) {
	for {
		select {
		case p := <-r.proposals:
			m.propose(p)
		default:
			return
		}
	}
}

// Stop leaves. Calls that still run end with an error.
func (r *Raft) Stop(ctx context.Context) error {
	if r.lock == nil {
		return nil
	}
	close(r.quit)
	if _, came := deadline.Await(ctx, r.ended); !came {
		return module.Retriablef("the metadata log was not closed in time: %w", ctx.Err())
	}
	if err := r.lock.Close(); err != nil {
		return err
	}
	return r.closed
}

// Health reports why the module serves nothing more, or writes nothing for now.
func (r *Raft) Health(context.Context) error {
	var err error
	r.board.view(func() { err = r.board.unwritable() })
	return err
}

var _ election.Election = (*Raft)(nil)
