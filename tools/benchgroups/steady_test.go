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

func TestQuartile(t *testing.T) {
	sample, taken := from(9, 7, 8, 8, 5, 4, 6, 5, 4, 6, 7, 5, 1, 3, 4, 2)
	require.NoError(t, warm(t.Context(), 4, sample))
	require.Equal(t, 12, *taken, "two quartiles of 5")
	quartile, err := quartileOf(t.Context(), 4, sample)
	require.NoError(t, err)
	require.InDelta(t, 2, quartile, 0)
	require.Equal(t, 16, *taken)
}
