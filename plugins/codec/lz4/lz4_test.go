package lz4

import (
	"bytes"
	"context"
	"testing"

	"github.com/pierrec/lz4/v4"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/codec/codectest"
)

func frame(t *testing.T, content []byte, options ...lz4.Option) []byte {
	t.Helper()
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	require.NoError(t, w.Apply(options...))
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestReadsTheFramesOfOtherClients(t *testing.T) {
	content := codectest.Text(300_000)
	c := New()
	for name, src := range map[string][]byte{
		"blocks of 4 MiB, content checksum": frame(t, content),
		"blocks of 1 MiB":                   frame(t, content, lz4.BlockSizeOption(lz4.Block1Mb)),
		"block checksums":                   frame(t, content, lz4.BlockChecksumOption(true)),
		"content size":                      frame(t, content, lz4.SizeOption(uint64(len(content)))),
		"two frames":                        append(frame(t, content[:1000]), frame(t, content[1000:], lz4.BlockSizeOption(lz4.Block64Kb))...),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.Decompress(context.Background(), nil, src, len(content))
			require.NoError(t, err)
			require.Equal(t, string(content), string(got))
			_, err = c.Decompress(context.Background(), nil, src, len(content)-1)
			require.ErrorIs(t, err, codec.ErrOverBudget)
		})
	}
}

// The 0.8 clients computed the header checksum over the magic as well.
func TestRefusesTheHeaderChecksumOfOldClients(t *testing.T) {
	c := New()
	src, err := c.Compress(context.Background(), nil, []byte("odradek"), codec.LevelDefault)
	require.NoError(t, err)
	src[6]++
	_, err = c.Decompress(context.Background(), nil, src, 7)
	require.ErrorIs(t, err, codec.ErrCorrupt)
}

func TestRefusesTheLegacyFormat(t *testing.T) {
	_, err := New().Decompress(context.Background(), nil, frame(t, []byte("odradek"), lz4.LegacyOption(true)), 7)
	require.ErrorIs(t, err, codec.ErrCorrupt)
}

func TestADecoderIsWholeAfterAnError(t *testing.T) {
	c := New()
	content := codectest.Text(200_000)
	src, err := c.Compress(context.Background(), nil, content, codec.LevelDefault)
	require.NoError(t, err)
	for range 20 {
		_, err = c.Decompress(context.Background(), nil, src, 100_000)
		require.ErrorIs(t, err, codec.ErrOverBudget)
		_, err = c.Decompress(context.Background(), nil, src[:len(src)/2], 200_000)
		require.ErrorIs(t, err, codec.ErrCorrupt)
		got, err := c.Decompress(context.Background(), nil, src, 200_000)
		require.NoError(t, err)
		require.Equal(t, string(content), string(got))
	}
}

func TestBombOfLargeBlocks(t *testing.T) {
	codectest.Bomb(t, New(), frame(t, make([]byte, 16<<20)))
}
