// Package codectest is the conformance suite of codecs. It runs the same on an
// instance in this process and on one in another.
package codectest

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Run holds the codecs that open returns to the contract of [codec.Codec], and
// those with an attribute of Kafka's also to the bytes of the Java client.
func Run(t *testing.T, open func(t *testing.T) codec.Codec) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, codec.Codec)
	}{
		{"Info", testInfo},
		{"RoundTrip", testRoundTrip},
		{"AppendsToDst", testAppendsToDst},
		{"Levels", testLevels},
		{"ExactBudget", testExactBudget},
		{"BombAllocatesTheBudgetAtMost", testBomb},
		{"Truncated", testTruncated},
		{"FlippedBits", testFlippedBits},
		{"Garbage", testGarbage},
		{"Golden", testGolden},
		{"CancelledContext", testCancelled},
		{"Concurrent", testConcurrent},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// contents are what the tests compress, by name.
func contents() map[string][]byte {
	return map[string][]byte{
		"empty":           {},
		"one byte":        {7},
		"short":           []byte("odradek"),
		"text":            Text(5_000),
		"long text":       Text(300_000),
		"zeros":           make([]byte, 200_000),
		"noise":           Noise(70_000),
		"block less one":  Text(1<<15 - 1),
		"block":           Text(1 << 15),
		"block and one":   Text(1<<15 + 1),
		"large block":     Noise(1 << 16),
		"large and one":   Noise(1<<16 + 1),
		"zeros and noise": append(make([]byte, 100_000), Noise(50_000)...),
	}
}

func compress(t *testing.T, c codec.Codec, src []byte) []byte {
	t.Helper()
	out, err := c.Compress(context.Background(), nil, src, codec.LevelDefault)
	require.NoError(t, err)
	return out
}

func testInfo(t *testing.T, c codec.Codec) {
	info := c.Info()
	require.GreaterOrEqual(t, info.Attribute, int8(0))
	require.LessOrEqual(t, info.Attribute, int8(7), "the attribute has three bits")
	require.LessOrEqual(t, info.MinLevel, info.MaxLevel)
	require.Equal(t, info, c.Info(), "Info changed")
}

func testRoundTrip(t *testing.T, c codec.Codec) {
	for name, content := range contents() {
		t.Run(name, func(t *testing.T) {
			before := bytes.Clone(content)
			compressed := compress(t, c, content)
			require.Equal(t, string(before), string(content), "Compress wrote to src")
			kept := bytes.Clone(compressed)
			got, err := c.Decompress(context.Background(), nil, compressed, len(content)+1)
			require.NoError(t, err)
			require.Equal(t, string(content), string(got))
			require.Equal(t, string(kept), string(compressed), "Decompress wrote to src")
		})
	}
}

func testAppendsToDst(t *testing.T, c codec.Codec) {
	content := Text(100_000)
	compressed := compress(t, c, content)
	for _, spare := range []int{0, 10, len(content) + 100, 3 * len(content)} {
		before := func() []byte { return append(make([]byte, 0, 6+spare), "before"...) }
		got, err := c.Compress(context.Background(), before(), content, codec.LevelDefault)
		require.NoError(t, err)
		require.Equal(t, "before"+string(compressed), string(got), "Compress with %d bytes to spare", spare)
		back, err := c.Decompress(context.Background(), before(), compressed, len(content))
		require.NoError(t, err)
		require.Equal(t, "before"+string(content), string(back), "Decompress with %d bytes to spare", spare)
	}
}

func testLevels(t *testing.T, c codec.Codec) {
	info := c.Info()
	content := Text(20_000)
	levels := []int{codec.LevelDefault, info.DefaultLevel, info.MinLevel, info.MaxLevel}
	for l := max(info.MinLevel, -2); l <= info.MaxLevel; l++ {
		levels = append(levels, l)
	}
	for _, level := range levels {
		compressed, err := c.Compress(context.Background(), nil, content, level)
		require.NoError(t, err, "level %d", level)
		got, err := c.Decompress(context.Background(), nil, compressed, len(content))
		require.NoError(t, err, "level %d", level)
		require.Equal(t, string(content), string(got), "level %d", level)
	}
	for _, level := range []int{info.MinLevel - 1, info.MaxLevel + 1, codec.LevelDefault + 1} {
		if level == info.DefaultLevel {
			continue
		}
		_, err := c.Compress(context.Background(), nil, content, level)
		require.ErrorIs(t, err, codec.ErrLevel, "level %d", level)
		require.Equal(t, module.Invalid, module.ClassOf(err))
	}
}

func testCancelled(t *testing.T, c codec.Codec) {
	ctx, cancel := context.WithCancel(context.Background())
	compressed := compress(t, c, Text(100))
	cancel()
	_, err := c.Compress(ctx, nil, Text(100), codec.LevelDefault)
	require.Error(t, err, "Compress answers though the context has ended")
	require.Equal(t, module.Retriable, module.ClassOf(err))
	_, err = c.Decompress(ctx, nil, compressed, 1000)
	require.Error(t, err, "Decompress answers though the context has ended")
	require.Equal(t, module.Retriable, module.ClassOf(err))
}

func testConcurrent(t *testing.T, c codec.Codec) {
	all := contents()
	var group sync.WaitGroup
	for name, content := range all {
		group.Go(func() {
			var packed, back []byte
			for range 5 {
				var err error
				packed, err = c.Compress(context.Background(), packed[:0], content, codec.LevelDefault)
				if err == nil {
					back, err = c.Decompress(context.Background(), back[:0], packed, len(content))
				}
				if err != nil || !bytes.Equal(back, content) {
					t.Errorf("%s: a concurrent round trip gave %d bytes, error %v", name, len(back), err)
				}
			}
		})
	}
	group.Wait()
}
