package kafkasticky

import (
	"slices"

	"odradek.dev/sdk/assignor"
)

// claims is what members said that they had, set against each other.
type claims struct {
	// owner has for each topic and partition who is believed, or
	// assignor.Nobody; it may be one that no longer subscribes.
	owner [][]int
	// disputed are partitions that two members of one generation claimed.
	disputed map[place]bool
	// older has, of what members claimed of a generation before the newest, for
	// each partition the one that claimed it last.
	older map[place]int
}

func newClaims(g *group) claims {
	c := claims{disputed: make(map[place]bool), older: make(map[place]int)}
	for _, owners := range g.owner {
		c.owner = append(c.owner, slices.Clone(owners))
	}
	newest := int32(-1)
	for _, member := range g.snapshot.Members {
		newest = max(newest, member.Generation)
	}
	last := make(map[place]int)
	for _, member := range g.order {
		generation := g.snapshot.Members[member].Generation
		for at := range g.claimed(member) {
			if rival, claimed := last[at]; claimed {
				c.settle(at, last, member, rival, generation, g.snapshot.Members[rival].Generation)
			} else {
				c.owner[at.topic][at.partition], last[at] = member, member
			}
			if before, known := c.older[at]; generation < newest && (!known || generation > g.snapshot.Members[before].Generation) {
				c.older[at] = member
			}
		}
	}
	return c
}

// settle decides between a member and the one that was last to claim the
// partition. Of two that claim it in one generation neither is believed.
func (c *claims) settle(at place, last map[place]int, member, rival int, generation, rivals int32) {
	switch {
	case member == rival:
	case generation == rivals:
		c.disputed[at] = true
		if c.owner[at.topic][at.partition] == rival {
			c.owner[at.topic][at.partition] = assignor.Nobody
		}
		last[at] = member
	case generation > rivals:
		c.owner[at.topic][at.partition], last[at] = member, member
	}
}

// claimed yields what the member says it had and what exists.
func (g *group) claimed(member int) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for _, owned := range g.snapshot.Members[member].Owned {
			topic, exists := g.topic(owned.Topic)
			if !exists {
				continue
			}
			for _, p := range owned.Partitions {
				if p >= 0 && p < g.snapshot.Topics[topic].Partitions && !yield(place{topic, int(p)}) {
					return
				}
			}
		}
	}
}
