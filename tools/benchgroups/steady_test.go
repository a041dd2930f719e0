package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// from gives the samples one after the other.
func from(samples ...float64) (func(context.Context) (float64, error), *int) {
	taken := new(int)
	return func(context.Context) (float64, error) {
		*taken++
		return samples[*taken-1], nil
	}, taken
}

func TestSteady(t *testing.T) {
	sample, taken := from(50, 30, 20, 19, 18)
	require.NoError(t, steady(t.Context(), time.Hour, sample))
	require.Equal(t, 4, *taken)
	sample, taken = from(1, 1)
	require.NoError(t, steady(t.Context(), 0, sample))
	require.Zero(t, *taken, "there is no time for it")
	broken := errors.New("broken")
	require.ErrorIs(t, steady(t.Context(), time.Hour, func(context.Context) (float64, error) { return 0, broken }), broken)
}

// Of ten samples the second counts from below, and of fewer the first; with timers
// the one in the middle.
func TestTypical(t *testing.T) {
	sample, taken := from(9, 7, 3, 5, 8, 1, 8, 9, 7, 6)
	low, err := untimed.typicalOf(t.Context(), 10, sample)
	require.NoError(t, err)
	require.InDelta(t, 3, low, 0)
	require.Equal(t, 10, *taken)

	sample, _ = from(9, 1, 3, 2, 5)
	median, err := fast.typicalOf(t.Context(), 5, sample)
	require.NoError(t, err)
	require.InDelta(t, 3, median, 0)
	sample, _ = from(9, 1, 3, 2, 5)
	low, err = untimed.typicalOf(t.Context(), 5, sample)
	require.NoError(t, err)
	require.InDelta(t, 1, low, 0)

	sample, taken = from(9, 7, 5, 6, 5, 8, 7)
	require.NoError(t, warm(t.Context(), 3, sample))
	require.Equal(t, 6, *taken, "the lowest is 5 twice")
}
