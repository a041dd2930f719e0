package partition

import (
	"maps"
	"slices"
	"sync"
	"time"

	"odradek.dev/sdk/clock"
)

// The pauses before a log that a full disk kept from being opened is tried
// again: each is twice the one before, from the first to the longest.
const (
	firstReopening   = time.Second
	longestReopening = 30 * time.Second
)

// reopener opens the partitions that could not be since the disk is full, until
// it has room. Nothing ticks while there is none.
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

// awaitRoom has the partition refuse all until its log can be opened. mu is
// held.
func (p *Partition) awaitRoom(cause error) {
	p.retire(offline(cause))
	p.awaitsRoom = true
	if p.host.reopener.add(p) {
		p.host.Log.Error("partition cannot be opened as the disk is full: it refuses to serve, and is tried again until there is room",
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
		p.host.Log.Info("disk has room again: the partition is open and serves", "topic", p.id.Topic, "partition", p.id.Partition)
	}
	return p.awaitsRoom
}
