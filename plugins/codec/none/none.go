package none

import (
	"context"

	"odradek.dev/sdk/codec"
)

// Codec has no state.
type Codec struct{}

// Info has no levels.
func (Codec) Info() codec.Info { return codec.Info{Attribute: 0} }

// Compress appends src to dst.
func (c Codec) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := c.Info().Level(level); err != nil {
		return nil, err
	}
	return append(dst, src...), nil
}

// Decompress appends src to dst.
func (Codec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src) > budget {
		return nil, codec.ErrOverBudget
	}
	return append(dst, src...), nil
}
