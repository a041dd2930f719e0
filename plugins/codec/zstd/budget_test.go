package zstd

import (
	"bytes"
	"context"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/codec/codectest"
)

// streamed is a frame without a content size, as a client writes that does
// not know it beforehand, with a block for each part.
func streamed(t *testing.T, window int, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	require.NoError(t, err)
	for _, part := range parts {
		_, err = w.Write(part)
		require.NoError(t, err)
		require.NoError(t, w.Flush())
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func repeat(part []byte, n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = part
	}
	return out
}

func TestBudgetOfFramesWithoutASize(t *testing.T) {
	c, err := New()
	require.NoError(t, err)
	part := codectest.Text(10_000)
	many := streamed(t, 1<<20, repeat(part, 100)...)
	content := bytes.Repeat(part, 100)
	for _, tc := range []struct {
		name   string
		src    []byte
		want   []byte
		budget int
		err    error
	}{
		{"one block, tight", streamed(t, 1<<20, part), part, len(part), nil},
		{"one block, one short", streamed(t, 1<<20, part), nil, len(part) - 1, codec.ErrOverBudget},
		{"many blocks, ample", many, content, 64 << 20, nil},
		{"many blocks, tight", many, content, len(content), nil},
		{"many blocks, one short", many, nil, len(content) - 1, codec.ErrOverBudget},
		{"window over the budget", streamed(t, 32<<20, repeat(part, 100)...), nil, len(content), codec.ErrOverBudget},
		{"window over the budget, few blocks", streamed(t, 32<<20, repeat(part, 5)...), content[:50_000], 50_000, nil},
		{"window within the budget", streamed(t, 32<<20, repeat(part, 1000)...), bytes.Repeat(part, 1000), 40 << 20, nil},
		{"damaged checksum", append(many[:len(many)-1:len(many)-1], many[len(many)-1]^1), nil, len(content), codec.ErrCorrupt},
		{"two frames", append(bytes.Clone(many), streamed(t, 1<<20, part)...), append(bytes.Clone(content), part...), len(content) + len(part), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, dst := range [][]byte{nil, make([]byte, 0, 100), make([]byte, 0, 2*len(content))} {
				got, err := c.Decompress(context.Background(), dst, tc.src, tc.budget)
				require.ErrorIs(t, err, tc.err)
				require.Equal(t, string(tc.want), string(got))
			}
		})
	}
}

func TestBombsThatHideTheirSize(t *testing.T) {
	c, err := New()
	require.NoError(t, err)
	zeros := make([]byte, 8<<20)
	codectest.Bomb(t, c, streamed(t, 1<<20, zeros))
	codectest.Bomb(t, c, streamed(t, 32<<20, zeros))
	codectest.Bomb(t, c, streamed(t, 1<<20, repeat(zeros[:64<<10], 128)...))

	one, err := c.Compress(context.Background(), nil, zeros[:512<<10], codec.LevelDefault)
	require.NoError(t, err)
	codectest.Bomb(t, c, bytes.Repeat(one, 16))
}

func TestSkippableFramesAndDictionaries(t *testing.T) {
	c, err := New()
	require.NoError(t, err)
	frame := streamed(t, 1<<20, []byte("odradek"))
	skip := []byte{0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2}
	got, err := c.Decompress(context.Background(), nil, append(bytes.Clone(skip), frame...), 7)
	require.NoError(t, err)
	require.Equal(t, "odradek", string(got))
	_, err = c.Decompress(context.Background(), nil, append(frame, skip[:9]...), 7)
	require.ErrorIs(t, err, codec.ErrCorrupt)

	dictionary := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x21, 5, 0, 1, 0, 0}
	_, err = c.Decompress(context.Background(), nil, dictionary, 7)
	require.ErrorIs(t, err, codec.ErrCorrupt)
	require.ErrorContains(t, err, "dictionary")
}
