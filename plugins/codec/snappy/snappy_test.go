package snappy

import (
	"bytes"
	"context"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/codec/codectest"
)

func TestReadsRawBlocks(t *testing.T) {
	for _, content := range [][]byte{{}, []byte("odradek"), codectest.Text(100_000)} {
		raw := s2.EncodeSnappy(nil, content)
		got, err := Codec{}.Decompress(context.Background(), nil, raw, len(content))
		require.NoError(t, err)
		require.Equal(t, string(content), string(got))
		if len(content) > 0 {
			_, err = Codec{}.Decompress(context.Background(), nil, raw, len(content)-1)
			require.ErrorIs(t, err, codec.ErrOverBudget)
		}
	}
}

func TestDamagedFraming(t *testing.T) {
	whole, err := Codec{}.Compress(context.Background(), nil, []byte("odradek"), codec.LevelDefault)
	require.NoError(t, err)
	version := bytes.Clone(whole)
	version[15] = 2
	long := bytes.Clone(whole)
	long[16] = 0xff
	for name, src := range map[string][]byte{
		"unknown version":         version,
		"block longer than input": long,
		"claims more than it can": {0x80, 0x80, 0x40, 0},
		"a ratio only s2 reaches": s2.EncodeBest(nil, bytes.Repeat([]byte("odradek "), 1000)),
		"block inside the header": whole[:12],
	} {
		_, err := Codec{}.Decompress(context.Background(), nil, src, 1<<20)
		require.ErrorIs(t, err, codec.ErrCorrupt, name)
	}
}

func TestBombOfRawBlock(t *testing.T) {
	codectest.Bomb(t, Codec{}, s2.EncodeSnappy(nil, make([]byte, 8<<20)))
}
