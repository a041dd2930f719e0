package main

import (
	"context"
	"fmt"
	"sync"
)

// census knows what every member of a group has. Safe for concurrent use.
type census struct {
	mu      sync.Mutex
	members map[int]holding
	failure error
	// changed is closed and made anew with every change.
	changed chan struct{}
}

// holding is what one member has.
type holding struct {
	// epoch is its generation, or its member epoch.
	epoch      int32
	partitions int
	// read says that it has read its first record.
	read bool
}

func newCensus() *census {
	return &census{members: make(map[int]holding), changed: make(chan struct{})}
}

// has notes what a member has now.
func (c *census) has(member int, epoch int32, partitions int) {
	c.change(func() {
		h := c.members[member]
		h.epoch, h.partitions = epoch, partitions
		c.members[member] = h
	})
}

func (c *census) hasRead(member int) {
	c.change(func() {
		h := c.members[member]
		h.read = true
		c.members[member] = h
	})
}

func (c *census) gone(member int) { c.change(func() { delete(c.members, member) }) }

func (c *census) failed(err error) { c.change(func() { c.failure = err }) }

func (c *census) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.changed)
	c.changed = make(chan struct{})
}

// await returns when the members are as they should be.
func (c *census) await(ctx context.Context, good func(map[int]holding) bool) error {
	for {
		c.mu.Lock()
		is, failure, changed := good(c.members), c.failure, c.changed
		c.mu.Unlock()
		if failure != nil || is {
			return failure
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", c, ctx.Err())
		}
	}
}

func (c *census) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	partitions, read := 0, 0
	for _, h := range c.members {
		partitions += h.partitions
		if h.read {
			read++
		}
	}
	return fmt.Sprintf("%d members have %d partitions, %d of them have read", len(c.members), partitions, read)
}

// epoch is the newest that any member has.
func (c *census) epoch() (newest int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.members {
		newest = max(newest, h.epoch)
	}
	return newest
}

// settled: so many members share so many partitions, all of them in an epoch
// after that one.
func settled(members, partitions int, after int32) func(map[int]holding) bool {
	return func(all map[int]holding) bool {
		sum := 0
		for _, h := range all {
			if h.epoch <= after {
				return false
			}
			sum += h.partitions
		}
		return len(all) == members && sum == partitions
	}
}

// allRead: so many members have read a record each.
func allRead(members int) func(map[int]holding) bool {
	return func(all map[int]holding) bool {
		for _, h := range all {
			if !h.read {
				return false
			}
		}
		return len(all) == members
	}
}
