package codec

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestReadWithin(t *testing.T) {
	content := bytes.Repeat([]byte("odradek "), 50_000)
	for _, tc := range []struct {
		name         string
		hint, budget int
		spare        int
		want         error
	}{
		{name: "nothing known", budget: 1 << 20},
		{name: "hint right", hint: len(content), budget: 1 << 20},
		{name: "hint far too high", hint: 1 << 30, budget: len(content)},
		{name: "dst has the room", spare: len(content), budget: len(content)},
		{name: "dst has more than the budget", spare: 2 * len(content), budget: len(content) - 1, want: ErrOverBudget},
		{name: "exactly the budget", hint: 10, budget: len(content)},
		{name: "one over", hint: 10, budget: len(content) - 1, want: ErrOverBudget},
		{name: "no budget", budget: 0, want: ErrOverBudget},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dst := append(make([]byte, 0, 3+tc.spare), "pre"...)
			got, err := ReadWithin(dst, iotest.HalfReader(bytes.NewReader(content)), tc.hint, tc.budget)
			if tc.want != nil {
				require.ErrorIs(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "pre"+string(content), string(got))
		})
	}
}

func TestReadWithinNamesDamage(t *testing.T) {
	damaged := func() io.Reader {
		return io.MultiReader(bytes.NewReader(make([]byte, 100)), iotest.ErrReader(errors.New("bad checksum")))
	}
	for _, budget := range []int{10, 100, 1000} {
		_, err := ReadWithin(nil, damaged(), 0, budget)
		want := ErrCorrupt
		if budget < 100 {
			want = ErrOverBudget
		}
		require.ErrorIs(t, err, want, "budget %d", budget)
	}
}

func TestInfoLevel(t *testing.T) {
	gzip := Info{MinLevel: 1, MaxLevel: 9, DefaultLevel: -1}
	for level, want := range map[int]int{LevelDefault: -1, -1: -1, 1: 1, 9: 9} {
		got, err := gzip.Level(level)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, level := range []int{-2, 0, 10} {
		_, err := gzip.Level(level)
		require.ErrorIs(t, err, ErrLevel)
	}
}
