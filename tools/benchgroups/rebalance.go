package main

import (
	"context"
	"fmt"
	"time"

	"odradek.dev/tools/internal/procstat"
)

// patience is how long one rebalance may take.
const patience = time.Minute

const (
	sharers = 100
	// joins is how many groups, and changes how many changes, are sampled.
	joins, changes = 9, 50
	// deaths is the same where each lasts a session.
	deaths = 8
)

// joinToRecord has members join a new group all at once, and is the time until
// each has read a record.
func (b *bench) joinToRecord(ctx context.Context, members int, p pace) (float64, error) {
	plan := b.plan(recordsTopic, recordsPartitions, p)
	plan.reads = true
	t := newTeam(plan)
	defer t.end(ctx)
	if err := t.connect(members); err != nil {
		return 0, err
	}
	t.census.aim(goal{members: members, partitions: plan.partitions, read: true})
	defer b.driver.watch()()
	began := time.Now()
	t.start()
	err := t.await(ctx)
	return inMilliseconds(time.Since(began)), err
}

// change is something that happens to a group of many members.
type change struct {
	name string
	// by is how many members there are more, or less, after it.
	by int
	// lasts is set where it takes a session each time.
	lasts bool
	// happen returns since when the group is to settle anew.
	happen func(context.Context, *team) (time.Time, error)
	// back makes it so many members as before again.
	back func(context.Context, *team) (time.Time, error)
}

func allChanges() []change {
	return []change{
		{name: "joins", by: 1, happen: joinOne, back: leaveOne},
		{name: "leaves", by: -1, happen: leaveOne, back: joinOne},
		{name: "dies, beyond its session", by: -1, lasts: true, happen: dieOne, back: joinOne},
	}
}

// rebalance has the same happen to a group again and again, and is how long it
// takes in milliseconds until all have settled, and what CPU time of the broker
// that and the way back take together.
func (b *bench) rebalance(ctx context.Context, c change, p pace) (took, cpu float64, err error) {
	if c.lasts && p == untimed {
		p = awake
	}
	t := newTeam(b.plan(wideTopic, widePartitions, p))
	defer t.end(ctx)
	if err := t.join(sharers); err != nil {
		return 0, 0, err
	}
	if err := t.settle(ctx, sharers, 0); err != nil {
		return 0, 0, err
	}
	thereAndBack := func(ctx context.Context) (float64, error) {
		took, err := b.settleAfter(ctx, t, c.happen, sharers+c.by)
		if err != nil {
			return 0, err
		}
		_, err = b.settleAfter(ctx, t, c.back, sharers)
		return inMilliseconds(took), err
	}
	times := deaths
	if !c.lasts {
		times = changes
		if err := warm(ctx, times, thereAndBack); err != nil {
			return 0, 0, err
		}
	}
	before, err := procstat.CPU(b.PID())
	if err != nil {
		return 0, 0, err
	}
	if took, err = p.typicalOf(ctx, times, thereAndBack); err != nil {
		return 0, 0, err
	}
	after, err := procstat.CPU(b.PID())
	return took, inMilliseconds(after-before) / float64(times), err
}

func (b *bench) settleAfter(ctx context.Context, t *team, happen func(context.Context, *team) (time.Time, error), members int) (time.Duration, error) {
	before := t.census.epoch()
	since, err := happen(ctx, t)
	if err != nil {
		return 0, err
	}
	defer b.driver.watch()()
	err = t.settle(ctx, members, before)
	return time.Since(since), err
}

// settle waits until so many members share everything in a later epoch.
func (t *team) settle(ctx context.Context, members int, after int32) error {
	t.census.aim(goal{members: members, partitions: t.partitions, after: after})
	return t.await(ctx)
}

// await returns when the group has come to its goal.
func (t *team) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := t.loop.Run(ctx, func() bool { return t.census.settled }); err != nil {
		return fmt.Errorf("%s: %w", t.census, err)
	}
	return t.census.failure
}

// last is the member that joined last.
func (t *team) last() *member { return t.members[len(t.members)-1] }

func joinOne(_ context.Context, t *team) (time.Time, error) {
	if err := t.connect(1); err != nil {
		return time.Time{}, err
	}
	began := time.Now()
	t.start()
	return began, nil
}

func leaveOne(_ context.Context, t *team) (time.Time, error) {
	began := time.Now()
	t.last().leave()
	return began, nil
}

// dieOne returns when the session of the dead member ends: one session after
// the last answer that it had.
func dieOne(ctx context.Context, t *team) (time.Time, error) {
	dead := t.last()
	dead.die()
	over := dead.answered.Add(quickSession)
	return over, t.loop.RunUntil(ctx, over)
}

// inMilliseconds has a fraction.
func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
