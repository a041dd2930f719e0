package main

import (
	"context"
	"slices"
	"time"
)

// patience is how long one rebalance may take.
const patience = time.Minute

// median of several, which are sorted by it.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// joinToRecord has members join a new group all at once, and is the time until
// each has read a record; the median of so many groups.
func (b *bench) joinToRecord(ctx context.Context, members, times int) (float64, error) {
	var all []float64
	for range times {
		took, err := b.joinOnce(ctx, members)
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	return median(all), nil
}

func (b *bench) joinOnce(ctx context.Context, members int) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p := b.plan(recordsTopic, recordsPartitions)
	p.reads = true
	t := newTeam(p)
	defer t.end()
	if err := t.connect(ctx, members); err != nil {
		return 0, err
	}
	began := time.Now()
	t.start()
	err := t.census.await(ctx, allRead(members))
	return inMilliseconds(began), err
}

const (
	sharers = 100
	// changes is how often one joins, leaves or dies; the median counts.
	changes = 9
)

// change has the same happen to a group of many members again and again, and
// is how long it takes until all have settled. before and after are how many
// members there are; restore makes it so many as before again.
func (b *bench) change(ctx context.Context, after int, happen, restore func(context.Context, *team) error) (float64, error) {
	t := newTeam(b.plan(wideTopic, widePartitions))
	defer t.end()
	if err := t.join(ctx, sharers); err != nil {
		return 0, err
	}
	all := make([]float64, 0, changes)
	for range changes {
		if err := t.settle(ctx, sharers, 0); err != nil {
			return 0, err
		}
		before := t.census.epoch()
		began := time.Now()
		if err := happen(ctx, t); err != nil {
			return 0, err
		}
		if err := t.settle(ctx, after, before); err != nil {
			return 0, err
		}
		all = append(all, inMilliseconds(began))
		before = t.census.epoch()
		if err := restore(ctx, t); err != nil {
			return 0, err
		}
		if err := t.settle(ctx, sharers, before); err != nil {
			return 0, err
		}
	}
	return median(all), nil
}

// settle waits until so many members share everything in a later epoch.
func (t *team) settle(ctx context.Context, members int, after int32) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return t.census.await(ctx, settled(members, t.partitions, after))
}

// last is the member that joined last.
func (t *team) last() *member { return t.members[len(t.members)-1] }

func joinOne(ctx context.Context, t *team) error { return t.join(ctx, 1) }

func leaveOne(_ context.Context, t *team) error {
	close(t.last().leave)
	return nil
}

func dieOne(_ context.Context, t *team) error {
	t.last().die()
	return nil
}

func oneJoins(ctx context.Context, b *bench) (float64, error) {
	return b.change(ctx, sharers+1, joinOne, leaveOne)
}

func oneLeaves(ctx context.Context, b *bench) (float64, error) {
	return b.change(ctx, sharers-1, leaveOne, joinOne)
}

func oneDies(ctx context.Context, b *bench) (float64, error) {
	took, err := b.change(ctx, sharers-1, dieOne, joinOne)
	return took - float64(quickSession.Milliseconds()), err
}
