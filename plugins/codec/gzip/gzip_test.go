package gzip

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/codec/codectest"
)

func TestReadsSeveralMembers(t *testing.T) {
	c := New()
	first, err := c.Compress(context.Background(), nil, []byte("odra"), codec.LevelDefault)
	require.NoError(t, err)
	both, err := c.Compress(context.Background(), first, []byte("dek"), 9)
	require.NoError(t, err)
	got, err := c.Decompress(context.Background(), nil, both, 7)
	require.NoError(t, err)
	require.Equal(t, "odradek", string(got))
	_, err = c.Decompress(context.Background(), nil, both, 6)
	require.ErrorIs(t, err, codec.ErrOverBudget)
}

func TestBombOfManyMembers(t *testing.T) {
	c := New()
	one, err := c.Compress(context.Background(), nil, make([]byte, 256<<10), codec.LevelDefault)
	require.NoError(t, err)
	codectest.Bomb(t, c, bytes.Repeat(one, 32))
}
