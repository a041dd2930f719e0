package main

import (
	"context"
	"time"

	"odradek.dev/tools/internal/procstat"
)

const (
	idleGroups, idleMembers = 10, 100
	// idleFor has a whole number of the heartbeats of both protocols in it,
	// which come every 3 and every 5 s.
	idleFor = 15 * time.Second
	// calmWithin is how long the broker is given to end what the joins have left
	// to do: until it takes less than calmCPU for a second.
	calmWithin, calmCPU = 5 * time.Second, 50 * time.Millisecond
)

// idle is the share of a core that the broker takes for members that do
// nothing but stay.
func idle(ctx context.Context, b *bench) (float64, error) {
	var teams []*team
	defer func() {
		for _, t := range teams {
			t.end(ctx)
		}
	}()
	for range idleGroups {
		t := newTeam(b.plan(recordsTopic, recordsPartitions, asTold))
		teams = append(teams, t)
		if err := t.join(idleMembers); err != nil {
			return 0, err
		}
	}
	for _, t := range teams {
		if err := t.settle(ctx, idleMembers, 0); err != nil {
			return 0, err
		}
	}
	if err := b.calm(ctx); err != nil {
		return 0, err
	}
	defer b.driver.watch()()
	used, err := b.cpuOver(ctx, idleFor)
	return 100 * used.Seconds() / idleFor.Seconds(), err
}

func (b *bench) calm(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < calmWithin; {
		used, err := b.cpuOver(ctx, time.Second)
		if err != nil || used < calmCPU {
			return err
		}
	}
	return nil
}

// cpuOver waits, and is the CPU time that the broker has used meanwhile.
func (b *bench) cpuOver(ctx context.Context, d time.Duration) (time.Duration, error) {
	before, err := procstat.CPU(b.PID())
	if err != nil {
		return 0, err
	}
	if err := b.wait(ctx, d); err != nil {
		return 0, err
	}
	after, err := procstat.CPU(b.PID())
	return after - before, err
}

// wait has members go on for so long.
func (b *bench) wait(ctx context.Context, d time.Duration) error {
	return b.loop.RunUntil(ctx, time.Now().Add(d))
}
