package codectest

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
)

// bombSize is what the bomb gives, bombBudget what it is allowed. bombSlack is
// what a codec and a binding may allocate besides: state that a pool dropped,
// a request, an error.
const (
	bombSize   = 4 << 20
	bombBudget = 1 << 20
	bombSlack  = 512 << 10
)

func testExactBudget(t *testing.T, c codec.Codec) {
	for name, content := range contents() {
		compressed := compress(t, c, content)
		got, err := c.Decompress(context.Background(), nil, compressed, len(content))
		require.NoError(t, err, name)
		require.Len(t, got, len(content), name)
		for _, budget := range []int{len(content) - 1, len(content) / 2, 0} {
			if len(content) == 0 || budget >= len(content) {
				continue
			}
			_, err = c.Decompress(context.Background(), nil, compressed, budget)
			require.ErrorIs(t, err, codec.ErrOverBudget, "%s within %d of %d bytes", name, budget, len(content))
		}
	}
}

func testBomb(t *testing.T, c codec.Codec) {
	Bomb(t, c, compress(t, c, make([]byte, bombSize)))
}

// Bomb requires that bomb, which must give 4 MiB or more, is refused within a
// budget of 1 MiB and that no more than that is allocated on the way. A codec
// whose format has ways to hide its size calls it with each of them.
func Bomb(t *testing.T, c codec.Codec, bomb []byte) {
	t.Helper()
	least := leastAllocated(0, func() {
		_, err := c.Decompress(context.Background(), nil, bomb, bombBudget)
		require.ErrorIs(t, err, codec.ErrOverBudget)
	})
	require.LessOrEqual(t, least, uint64(bombBudget+bombSlack), "bytes allocated by a bomb")
}

// leastAllocated is the bytes that do allocates. A collection in the middle
// empties the codec's pools, and the race detector makes them forget at random:
// the least of several counts, or the first that is little enough.
func leastAllocated(enough uint64, do func()) uint64 {
	least := uint64(1 << 62)
	for try := 0; try < 10 && least > enough; try++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Where a batch ends is known from its header, so a format may lack an end
// mark: snappy's framing cut between two blocks is whole. It then gives the
// beginning of the content and nothing else.
func testTruncated(t *testing.T, c codec.Codec) {
	for _, content := range [][]byte{[]byte("odradek"), Text(3_000), Text(100_000)} {
		compressed := compress(t, c, content)
		for _, cut := range places(len(compressed)) {
			got, err := c.Decompress(context.Background(), nil, compressed[:cut], len(content))
			if err == nil {
				require.True(t, endsAnywhere(c) && len(got) < len(content) && bytes.HasPrefix(content, got),
					"cut to %d of %d bytes gives %d bytes and no error", cut, len(compressed), len(got))
				continue
			}
			require.ErrorIs(t, err, codec.ErrCorrupt, "cut to %d of %d bytes", cut, len(compressed))
		}
	}
}

// endsAnywhere is true for the two formats of Kafka that have no end mark.
func endsAnywhere(c codec.Codec) bool {
	attribute := c.Info().Attribute
	return attribute == 0 || attribute == 2
}

func testFlippedBits(t *testing.T, c codec.Codec) {
	for _, content := range [][]byte{[]byte("odradek"), Text(3_000), Text(100_000)} {
		compressed := compress(t, c, content)
		for _, at := range places(len(compressed)) {
			for bit := range 8 {
				damaged := bytes.Clone(compressed)
				damaged[at] ^= 1 << bit
				got, err := c.Decompress(context.Background(), nil, damaged, len(content))
				if err == nil {
					require.LessOrEqual(t, len(got), len(content), "bit %d of byte %d flipped", bit, at)
					continue
				}
				require.True(t, errors.Is(err, codec.ErrCorrupt) || errors.Is(err, codec.ErrOverBudget),
					"bit %d of byte %d flipped: %v", bit, at, err)
			}
		}
	}
}

func testGarbage(t *testing.T, c codec.Codec) {
	for _, size := range []int{0, 1, 3, 4, 8, 17, 100, 10_000} {
		got, err := c.Decompress(context.Background(), nil, Noise(size), 50_000)
		if err == nil {
			require.Equal(t, int8(0), c.Info().Attribute, "%d bytes of garbage give %d bytes and no error", size, len(got))
		}
	}
}

// places is every place of a short input; the first, the last and some between
// of a long one.
func places(size int) []int {
	var out []int
	for at := range size {
		if at < 64 || size-at <= 64 || at%(size/64+1) == 0 {
			out = append(out, at)
		}
	}
	return out
}
