package partition

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/storage"
)

// The pauses before a log that could not be opened for now is tried again: each is twice the one before, from the first to the longest.
const (
	firstReopening   = time.Second
	longestReopening = 30 * time.Second
)

// reopener opens the partitions that could not be since the disk is full or the
// process has too many files open, until that is over. Nothing ticks while there
// is none.
type reopener struct {
	host *host

	mu      sync.Mutex
	waiting map[*Partition]struct{}
	// pause is how long the last timer runs, or ran.
	pause time.Duration
	timer clock.Timer
	over  bool

	// trying is held while partitions are tried, so that stop can wait for it.
	// It is taken before mu and before a partition's mutex.
	trying sync.Mutex
}

// add has a partition, whose mutex is held, tried again. It says whether it was
// not among them yet.
func (r *reopener) add(p *Partition) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.waiting[p]; ok {
		return false
	}
	if len(r.waiting) == 0 {
		r.waiting = make(map[*Partition]struct{})
		r.pause = firstReopening
	}
	r.waiting[p] = struct{}{}
	r.schedule()
	return true
}

// forget is for a partition that is closed, or tried no more.
func (r *reopener) forget(p *Partition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, p)
	if len(r.waiting) == 0 && r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
}

// schedule sees to it that there is a timer if one is needed. mu is held.
func (r *reopener) schedule() {
	if len(r.waiting) > 0 && r.timer == nil && !r.over {
		r.timer = r.host.Clock.AfterFunc(r.pause, r.try)
	}
}

// try tries all that wait once. One that opens is a sign of room: then the
// others need not wait for long.
func (r *reopener) try() {
	r.trying.Lock()
	defer r.trying.Unlock()
	r.mu.Lock()
	r.timer = nil
	waiting := slices.Collect(maps.Keys(r.waiting))
	next := min(2*r.pause, longestReopening)
	r.mu.Unlock()
	for _, p := range waiting {
		if r.ended() {
			return
		}
		if !p.reopen() {
			r.forget(p)
			next = firstReopening
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause = next
	r.schedule()
}

func (r *reopener) ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// stop ends it, and waits for the partition that it is at.
func (r *reopener) stop() {
	r.mu.Lock()
	r.over = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Unlock()
	r.trying.Lock()
	defer r.trying.Unlock()
}

// passes reports whether what kept a log from being opened is over by itself once
// there is room on the disk, or others close files.
func passes(err error) bool {
	return errors.Is(err, storage.ErrFull) || errors.Is(err, storage.ErrNoDescriptor)
}

// awaitRoom has the partition refuse all until its log can be opened. mu is
// held.
func (p *Partition) awaitRoom(cause error) {
	p.retire(offline(cause))
	p.awaitsRoom = true
	if p.host.reopener.add(p) {
		what, until := "the disk is full", "there is room"
		if errors.Is(cause, storage.ErrNoDescriptor) {
			what, until = "too many files are open", "there are fewer; raise the limit (ulimit -n) or lower max.open.files"
		}
		p.host.Log.Error("partition cannot be opened as "+what+": it refuses to serve, and is tried again until "+until,
			"topic", p.id.Topic, "partition", p.id.Partition, "dir", p.dir, "error", cause)
	}
}

// reopen tries once more, and says whether the partition waits still.
func (p *Partition) reopen() (waits bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.awaitsRoom {
		return false
	}
	p.awaitsRoom, p.failure = false, nil
	if err := p.begin(p.host.ctx()); err == nil {
		p.host.Log.Info("what kept the partition from being opened is over: it is open and serves", "topic", p.id.Topic, "partition", p.id.Partition)
	}
	return p.awaitsRoom
}
