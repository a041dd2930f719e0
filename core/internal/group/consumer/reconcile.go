package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/grouplog"
)

// The states of a member, by their numbers in the log.
const (
	stable     int8 = 0
	unrevoked  int8 = 1 // it has yet to give up what is in revoking
	unreleased int8 = 2 // what it is to get is still held by others
)

// leftForNow is the epoch of a static member that said that it will be back.
const leftForNow int32 = -2

// current is what a member has, and where it is on its way to the target. A
// place is in assigned or in revoking, never in both, and of one member only.
type current struct {
	epoch, previous int32
	state           int8
	assigned        []held
	revoking        []held
}

func (c current) equal(d current) bool {
	return c.epoch == d.epoch && c.previous == d.previous && c.state == d.state &&
		slices.Equal(c.assigned, d.assigned) && slices.Equal(c.revoking, d.revoking)
}

func (c current) record() *grouplog.Current {
	return &grouplog.Current{
		Epoch: c.epoch, PreviousEpoch: c.previous, State: c.state,
		Assigned: recorded(c.assigned), PendingRevocation: recorded(c.revoking),
	}
}

func currentOf(r *grouplog.Current) current {
	return current{
		epoch: r.Epoch, previous: r.PreviousEpoch, state: r.State,
		assigned: holdingOf(r.Assigned, r.Epoch), revoking: holdingOf(r.PendingRevocation, r.Epoch),
	}
}

// at is what a member has next. The previous epoch stays while the epoch does:
// it is where a member is that did not get the answer, however often it asks.
func (c current) at(epoch int32, state int8, assigned, revoking []held) current {
	next := current{epoch: epoch, previous: c.epoch, state: state, assigned: assigned, revoking: revoking}
	if epoch == c.epoch {
		next.previous = c.previous
	}
	return next
}

// owned is what a member said that it has. One that did not say may have all
// that it was ever given.
type owned struct {
	told   bool
	places []place
}

// anyOf reports whether the member may have something of a holding.
func (o owned) anyOf(holding []held) bool {
	if !o.told {
		return len(holding) > 0
	}
	return slices.ContainsFunc(o.places, func(p place) bool {
		_, has := find(holding, p)
		return has
	})
}

// reconciliation takes a member one step nearer to its target: it gives up
// first what is not in it, and gets what is as soon as nobody has it.
type reconciliation struct {
	targetEpoch int32
	target      []place
	owned       owned
	// subscribed tells whether the member still wants a topic: what it does not
	// want is taken away whatever the target says.
	subscribed          func(topic [16]byte) bool
	subscriptionChanged bool
	// free tells whether a place is nobody's, or the member's own.
	free func(place) bool
}

func (r *reconciliation) next(c current) current {
	switch c.state {
	case stable:
		switch {
		case c.epoch != r.targetEpoch:
			return r.towardsTarget(c)
		case r.subscriptionChanged:
			return r.withoutUnsubscribed(c)
		}
		return c
	case unrevoked:
		switch {
		case !r.owned.anyOf(c.revoking):
			return r.towardsTarget(c)
		case r.subscriptionChanged:
			return r.withoutUnsubscribed(c)
		}
		return c
	}
	return r.towardsTarget(c)
}

func (r *reconciliation) towardsTarget(c current) current {
	if r.hasAll(c) {
		return c.at(r.targetEpoch, stable, c.assigned, nil)
	}
	target := slices.DeleteFunc(slices.Clone(r.target), func(p place) bool { return !r.subscribed(p.topic) })
	kept, dropped := split(c.assigned, target)
	if r.owned.anyOf(dropped) {
		// The epoch stays: it is what the rebalance timeout is tied to.
		return c.at(c.epoch, unrevoked, kept, dropped)
	}
	state := stable
	var gained []held
	for _, p := range target {
		if _, has := find(kept, p); has {
			continue
		}
		if r.free(p) {
			gained = append(gained, held{p, r.targetEpoch})
		} else {
			state = unreleased
		}
	}
	return c.at(r.targetEpoch, state, merge(kept, gained), nil)
}

// hasAll reports whether a member has its target as it is, which most have in most
// epochs.
func (r *reconciliation) hasAll(c current) bool {
	return slices.EqualFunc(c.assigned, r.target, func(h held, p place) bool { return h.place == p && r.subscribed(p.topic) })
}

// withoutUnsubscribed takes away only what the member does not want any more,
// while the target is still the one of its old subscription.
func (r *reconciliation) withoutUnsubscribed(c current) current {
	var kept, dropped []held
	for _, h := range c.assigned {
		if r.subscribed(h.topic) {
			kept = append(kept, h)
		} else {
			dropped = append(dropped, h)
		}
	}
	if len(dropped) == 0 {
		return c
	}
	revoking := merge(c.revoking, dropped)
	if r.owned.anyOf(revoking) {
		return c.at(c.epoch, unrevoked, kept, revoking)
	}
	return c.at(c.epoch, c.state, kept, c.revoking)
}

// within reports whether a member said that it owns nothing outside a holding.
func (o owned) within(holding []held) bool {
	return o.told && !slices.ContainsFunc(o.places, func(p place) bool {
		_, has := find(holding, p)
		return !has
	})
}
