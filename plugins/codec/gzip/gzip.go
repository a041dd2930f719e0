package gzip

import (
	"bytes"
	"context"
	"sync"

	"github.com/klauspost/compress/gzip"

	"odradek.dev/sdk/codec"
)

// Levels of the topic config compression.gzip.level.
const (
	minLevel     = gzip.BestSpeed
	maxLevel     = gzip.BestCompression
	defaultLevel = gzip.DefaultCompression
)

// growth is a guess of how many times longer the output of Decompress is than
// its input.
const growth = 4

// Codec is made by [New].
type Codec struct {
	// encoders has a pool for each level, by level less the default one.
	encoders [maxLevel - defaultLevel + 1]sync.Pool
	decoders sync.Pool
}

// New returns a codec with empty pools.
func New() *Codec { return &Codec{} }

// Info has the levels of zlib.
func (*Codec) Info() codec.Info {
	return codec.Info{Attribute: 1, MinLevel: minLevel, MaxLevel: maxLevel, DefaultLevel: defaultLevel}
}

type encoder struct {
	out appender
	zip *gzip.Writer
}

// appender is an io.Writer onto the end of a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}

// Compress appends one gzip member to dst.
func (c *Codec) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	level, err := c.Info().Level(level)
	if err != nil {
		return nil, err
	}
	pool := &c.encoders[level-defaultLevel]
	e, _ := pool.Get().(*encoder)
	if e == nil {
		e = &encoder{}
		if e.zip, err = gzip.NewWriterLevel(&e.out, level); err != nil {
			return nil, err
		}
	}
	e.out.b = dst
	e.zip.Reset(&e.out)
	_, err = e.zip.Write(src)
	if closed := e.zip.Close(); err == nil {
		err = closed
	}
	out := e.out.b
	e.out.b = nil
	pool.Put(e)
	return out, err
}

type decoder struct {
	in  bytes.Reader
	zip gzip.Reader
}

// Decompress appends the content of all members of src to dst.
func (c *Codec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, _ := c.decoders.Get().(*decoder)
	if d == nil {
		d = &decoder{}
	}
	defer c.decoders.Put(d)
	d.in.Reset(src)
	defer d.in.Reset(nil)
	if err := d.zip.Reset(&d.in); err != nil {
		return nil, codec.ErrCorrupt.With("gzip header: %v", err)
	}
	return codec.ReadWithin(dst, &d.zip, growth*len(src), budget)
}
