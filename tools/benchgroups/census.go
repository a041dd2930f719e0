package main

import "fmt"

// census knows what every member of a group has, and what the group is to come
// to.
type census struct {
	// members are by number.
	members []holding
	here    int // how many of them are members
	failure error
	goal    goal
	// behind, partitions, readers and uneven are, as here, sums over members, so that a
	// change costs the same however many there are. Behind are those in an epoch
	// that is not later, uneven those with less or more than an equal share.
	behind, partitions, readers, uneven int
	// heard is set when the first of them has heard that there is a later epoch,
	// and early where that was before the group had the goal that it belongs to.
	heard, early bool
	// settled is set when the group has come to its goal, or a member has failed.
	settled bool
	// turned is called when members that rest may be due.
	turned func()
	// turns is set where it is to be called.
	turns bool
}

// holding is what one member has.
type holding struct {
	// here is set from when it has told what it has until it is gone.
	here bool
	// epoch is its generation, or its member epoch.
	epoch      int32
	partitions int
	// read says that it has read its first record.
	read bool
}

// goal is what a group is to come to.
type goal struct {
	// members share so many partitions, all of them in an epoch after that one.
	members, partitions int
	after               int32
	// read: the members have read a record each, which is enough.
	read bool
}

func newCensus() *census {
	return &census{turned: func() {}}
}

// has notes what a member has now.
func (c *census) has(member int, epoch int32, partitions int) {
	c.change(member, func(h *holding) { h.epoch, h.partitions = epoch, partitions })
}

func (c *census) hasRead(member int) { c.change(member, func(h *holding) { h.read = true }) }

func (c *census) change(member int, f func(*holding)) {
	if member >= len(c.members) {
		c.members = append(c.members, make([]holding, member+1-len(c.members))...)
	}
	h := &c.members[member]
	c.count(h, -1)
	h.here = true
	f(h)
	c.count(h, 1)
	if h.epoch > c.goal.after {
		c.hear()
	}
	c.look()
	c.turn()
}

// hears notes that a member has heard that an epoch later than its own is on its
// way, to which all will have to come.
func (c *census) hears(own int32) {
	if c.settled {
		c.early = true
		return
	}
	if own > c.goal.after {
		c.goal.after, c.turns = own, true
		c.recount()
	}
	c.hear()
	c.turn()
}

func (c *census) hear() {
	if !c.heard {
		c.heard, c.turns = true, true
	}
}

func (c *census) gone(member int) {
	if member < len(c.members) {
		c.count(&c.members[member], -1)
		c.members[member] = holding{}
		c.look()
		c.turn()
	}
}

func (c *census) failed(err error) {
	if c.failure == nil {
		c.failure, c.settled = err, true
	}
}

// count adds a member to the sums, or with -1 takes it from them.
func (c *census) count(h *holding, by int) {
	if !h.here {
		return
	}
	c.here += by
	c.partitions += by * h.partitions
	if h.epoch <= c.goal.after {
		was := c.behind
		c.behind += by
		c.turns = c.turns || was > 0 && c.behind == 0
	}
	if h.read {
		c.readers += by
	}
	if !c.goal.isShare(h.partitions) {
		was := c.uneven
		c.uneven += by
		c.turns = c.turns || was > 0 && c.uneven == 0
	}
}

// isShare reports whether so many partitions are an equal share of all.
func (g goal) isShare(partitions int) bool {
	return partitions*g.members > g.partitions-g.members && partitions*g.members < g.partitions+g.members
}

// look settles the group if it has come to its goal.
func (c *census) look() {
	if c.settled || c.here != c.goal.members {
		return
	}
	if c.goal.read && c.readers == c.goal.members || !c.goal.read && c.behind == 0 && c.partitions == c.goal.partitions {
		c.settled = true
	}
}

// turn says that members may be due, once everything is counted.
func (c *census) turn() {
	if c.turns {
		c.turns = false
		c.turned()
	}
}

// aim gives the group another goal, which has its members beat again.
func (c *census) aim(g goal) {
	c.goal, c.heard, c.early = g, c.early, false
	c.settled = c.failure != nil
	c.recount()
	c.look()
	c.turns = true
	c.turn()
}

func (c *census) recount() {
	c.here, c.behind, c.partitions, c.readers, c.uneven = 0, 0, 0, 0, 0
	for i := range c.members {
		c.count(&c.members[i], 1)
		c.heard = c.heard || c.members[i].epoch > c.goal.after
	}
}

// isDue says whether a heartbeat of the member is of use now, while the group is on
// its way. Until somebody has heard of the change it is only that of the scout,
// since all others would hear what they know; then those of members that are
// behind, and then those of members that have yet to give up something or to get
// it.
func (c *census) isDue(member int) bool {
	var h holding
	if member < len(c.members) {
		h = c.members[member]
	}
	switch {
	case c.settled:
		return false
	case !c.heard:
		return member == scout
	case c.behind > 0:
		return h.epoch <= c.goal.after
	}
	return c.uneven == 0 || !c.goal.isShare(h.partitions)
}

// scout is the member that asks until it hears of a change.
const scout = 0

func (c *census) String() string {
	return fmt.Sprintf("%d members have %d partitions, %d are in an epoch up to %d, %d have read; there are to be %d with %d partitions",
		c.here, c.partitions, c.behind, c.goal.after, c.readers, c.goal.members, c.goal.partitions)
}

// epoch is the newest that any member has.
func (c *census) epoch() (newest int32) {
	for _, h := range c.members {
		newest = max(newest, h.epoch)
	}
	return newest
}
