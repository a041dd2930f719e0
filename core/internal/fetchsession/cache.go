package fetchsession

import (
	"math"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Limits bound what a cache remembers.
type Limits struct {
	// Slots is the number of sessions.
	Slots int
	// Partitions is the sum of those in all sessions, SessionPartitions is for
	// each: a short request has all of a session's partitions read.
	Partitions, SessionPartitions int
}

// Stats is what a cache remembers now, and how often it had to forget.
type Stats struct {
	Sessions, Partitions int
	// Evictions counts the sessions that ended to make room.
	Evictions int64
}

// Cache is the sessions of a broker.
type Cache[P any] struct {
	limits Limits
	draw   func() int32

	// mu is never held together with that of a session that others can see.
	mu        sync.Mutex
	sessions  map[int32]*Session[P]
	standings *standings
	stats     Stats
}

// NewCache makes a cache. draw gives random numbers from 0 for session ids; it
// is called by one caller at a time.
func NewCache[P any](limits Limits, draw func() int32) *Cache[P] {
	return &Cache[P]{limits: limits, draw: draw, sessions: map[int32]*Session[P]{}, standings: newStandings()}
}

// Stats may be called at any time.
func (c *Cache[P]) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// New describes a session that a full fetch would begin.
type New struct {
	// Privileged is for followers.
	Privileged bool
	// ByID: the topics are named by their ids.
	ByID bool
	// Partitions is how many it will have at most.
	Partitions int
}

// Create begins a session, which fill gives its partitions. It returns the id,
// or [None] if there is no room: the reader then names all partitions again.
func (c *Cache[P]) Create(now time.Time, n New, fill func(*Session[P])) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.makeRoom(now, n) {
		return None
	}
	s := newSession[P](n.ByID, n.Partitions)
	s.id, s.privileged = c.unusedID(), n.Privileged
	fill(s)
	s.counted = s.Len()
	c.sessions[s.id] = s
	c.standings.add(&s.standing, now)
	c.stats.Sessions++
	c.stats.Partitions += s.Len()
	return s.id
}

// Continue begins the fetch of an epoch in a session: update changes and reads
// its partitions. A session that then has none has ended; nil is returned, and
// the fetch is one without a session. An error is the answer to the whole
// fetch.
func (c *Cache[P]) Continue(now time.Time, id, epoch int32, byID bool, update func(*Session[P])) (*Session[P], *kerr.Error) {
	s := c.find(id)
	if s == nil {
		return nil, kerr.FetchSessionIDNotFound
	}
	size, refusal := s.advance(epoch, byID, update)
	if refusal != nil {
		return nil, refusal
	}
	return c.touch(s, now, size)
}

// Close ends a session. There need not be one.
func (c *Cache[P]) Close(id int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(id)
}

func (c *Cache[P]) find(id int32) *Session[P] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[id]
}

// touch is for a session that an update left with so many partitions. One
// beyond the limits ends with an error that has its reader begin again. One
// that was evicted a moment ago has this fetch answered yet.
func (c *Cache[P]) touch(s *Session[P], now time.Time, size int) (*Session[P], *kerr.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.sessions[s.id] == s
	grown := size - s.counted
	full := size > c.limits.SessionPartitions || known && grown > 0 && c.stats.Partitions+grown > c.limits.Partitions
	if known && (size == 0 || full) {
		c.remove(s.id)
	}
	switch {
	case size == 0:
		return nil, nil
	case full:
		return nil, kerr.FetchSessionIDNotFound
	case known:
		c.stats.Partitions += grown
		c.standings.touch(&s.standing, now, size)
	}
	return s, nil
}

// makeRoom reports false if there is none for the session, and no other that
// may be evicted for it.
func (c *Cache[P]) makeRoom(now time.Time, n New) bool {
	if n.Partitions > c.limits.SessionPartitions || n.Partitions > c.limits.Partitions {
		return false
	}
	for c.stats.Sessions >= c.limits.Slots || c.stats.Partitions+n.Partitions > c.limits.Partitions {
		victim := c.standings.victim(n.Privileged, n.Partitions, now)
		if victim == nil {
			return false
		}
		c.remove(victim.id)
		c.stats.Evictions++
	}
	return true
}

func (c *Cache[P]) remove(id int32) {
	s := c.sessions[id]
	if s == nil {
		return
	}
	delete(c.sessions, id)
	c.standings.remove(&s.standing)
	c.stats.Sessions--
	c.stats.Partitions -= s.counted
}

// unusedID draws until it has a number that is not 0 and no session's.
func (c *Cache[P]) unusedID() int32 {
	for {
		id := c.draw() & math.MaxInt32
		if _, used := c.sessions[id]; !used && id != None {
			return id
		}
	}
}
