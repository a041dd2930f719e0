package main

import (
	"context"
	"math"
	"slices"
	"time"
)

const (
	// alike is by how much two samples in sequence may differ when the broker,
	// whose code may be compiled while it runs, is warm.
	alike = 0.1
	// warmUp is for how long a broker is warmed at most, by rebalances and by commits.
	rebalanceWarmUp, commitWarmUp = 3 * time.Second, 15 * time.Second
)

// steady takes samples until two in sequence are alike, or for so long.
func steady(ctx context.Context, atMost time.Duration, sample func(context.Context) (float64, error)) error {
	before := math.Inf(1)
	for began := time.Now(); time.Since(began) < atMost; {
		now, err := sample(ctx)
		if err != nil {
			return err
		}
		if math.Abs(now-before) < alike*before && !math.IsInf(before, 1) {
			return nil
		}
		before = now
	}
	return nil
}

// typicalOf takes so many samples and is what the lowest tenth of them does not
// exceed: what else runs on the machine makes most of them longer, and none shorter.
// Where heartbeats come at a time of their own, which does both, it is the median.
func (p pace) typicalOf(ctx context.Context, times int, sample func(context.Context) (float64, error)) (float64, error) {
	all := make([]float64, 0, times)
	for range times {
		one, err := sample(ctx)
		if err != nil {
			return 0, err
		}
		all = append(all, one)
	}
	slices.Sort(all)
	if p == untimed {
		return all[len(all)/10], nil
	}
	return all[len(all)/2], nil
}

// warm takes samples that warm the broker, for those that are taken next.
func warm(ctx context.Context, times int, sample func(context.Context) (float64, error)) error {
	return steady(ctx, rebalanceWarmUp, func(ctx context.Context) (float64, error) { return untimed.typicalOf(ctx, times, sample) })
}
