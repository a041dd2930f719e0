package lz4

import (
	"bytes"
	"context"
	"sync"

	"github.com/pierrec/lz4/v4"

	"odradek.dev/sdk/codec"
)

// Levels of the topic config compression.lz4.level.
const (
	minLevel     = 1
	maxLevel     = 17
	defaultLevel = 9
)

// growth is a guess of how many times longer the output of Decompress is than
// its input.
const growth = 4

// Codec is made by [New].
type Codec struct {
	// compressors has a pool for each level.
	compressors [maxLevel + 1]sync.Pool
	decoders    sync.Pool
}

// New returns a codec with empty pools.
func New() *Codec { return &Codec{} }

// Info has the levels of the Java client.
func (*Codec) Info() codec.Info {
	return codec.Info{Attribute: 3, MinLevel: minLevel, MaxLevel: maxLevel, DefaultLevel: defaultLevel}
}

// Compress appends one frame to dst.
func (c *Codec) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	level, err := c.Info().Level(level)
	if err != nil {
		return nil, err
	}
	pool := &c.compressors[level]
	e, _ := pool.Get().(compressor)
	if e == nil {
		e = newCompressor(level)
	}
	defer pool.Put(e)
	return appendFrame(dst, src, e), nil
}

type decoder struct {
	in    bytes.Reader
	frame *lz4.Reader
}

// Decompress appends the content of all frames of src to dst.
func (c *Codec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The reader would also take the legacy format of the Linux kernel.
	if !bytes.HasPrefix(src, frameHeader[:4]) {
		return nil, codec.ErrCorrupt.With("not an LZ4 frame")
	}
	d, _ := c.decoders.Get().(*decoder)
	if d == nil {
		d = &decoder{frame: lz4.NewReader(nil)}
	}
	defer c.decoders.Put(d)
	d.in.Reset(src)
	defer d.in.Reset(nil)
	d.frame.Reset(&d.in)
	return codec.ReadWithin(dst, d.frame, growth*len(src), budget)
}
