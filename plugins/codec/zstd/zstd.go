package zstd

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"odradek.dev/sdk/codec"
)

// Levels of the topic config compression.zstd.level.
const (
	minLevel     = -131072
	maxLevel     = 22
	defaultLevel = 3
)

const (
	// slack is how far the bound may be over the budget for the output to be
	// decoded in one piece, and the most that a scratch buffer keeps.
	slack = 1 << 20
	// minWindow is the window that a stream may have under any budget: that
	// of level 19, and what RFC 8878 asks of every decoder.
	minWindow = 8 << 20
	// maxWindow is the largest that a Java client can write: level 22.
	maxWindow = 128 << 20
	// growth is a guess of how many times longer the output of a stream is
	// than its input.
	growth = 4
)

// Codec is made by [New].
type Codec struct {
	encoders [zstd.SpeedBestCompression + 1]*zstd.Encoder
	whole    *zstd.Decoder
	streams  sync.Pool
	scratch  sync.Pool
}

// New returns a codec. Its encoders take their memory at their first use.
func New() (*Codec, error) {
	c := &Codec{}
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		encoder, err := zstd.NewWriter(nil,
			zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, err
		}
		c.encoders[level] = encoder
	}
	whole, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(maxWindow))
	c.whole = whole
	return c, err
}

// Info has the levels of the Java client.
func (*Codec) Info() codec.Info {
	return codec.Info{Attribute: 4, MinLevel: minLevel, MaxLevel: maxLevel, DefaultLevel: defaultLevel}
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
	return c.encoders[zstd.EncoderLevelFromZstd(level)].EncodeAll(src, dst), nil
}

// Decompress appends the content of all frames of src to dst.
func (c *Codec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size, err := measure(src)
	limit := uint64(max(budget, 0))
	switch {
	case err != nil:
		return nil, err
	case size.known && size.bound > limit:
		return nil, codec.ErrOverBudget
	case size.bound <= limit && (size.known || size.bound <= uint64(cap(dst)-len(dst))):
		return c.decodeInPlace(dst, src, int(size.bound))
	case size.bound <= limit+slack:
		return c.decodeByScratch(dst, src, int(size.bound), budget)
	case size.window > max(limit, minWindow):
		return nil, codec.ErrOverBudget.With("the zstd window takes %d bytes", size.window)
	}
	return c.decodeStream(dst, src, size.window, budget)
}

// decodeInPlace decodes onto the end of dst, where bound is within the budget
// and either exact or within what dst has.
func (c *Codec) decodeInPlace(dst, src []byte, bound int) ([]byte, error) {
	dst = slices.Grow(dst, bound)
	out, err := c.whole.DecodeAll(src, dst[len(dst):len(dst):len(dst)+bound])
	if err != nil {
		return nil, codec.ErrCorrupt.With("%v", err)
	}
	return append(dst, out...), nil
}

// decodeByScratch decodes elsewhere, because bound may be well over what there
// is to append.
func (c *Codec) decodeByScratch(dst, src []byte, bound, budget int) ([]byte, error) {
	scratch, _ := c.scratch.Get().(*[]byte)
	if scratch == nil {
		scratch = new([]byte)
	}
	*scratch = slices.Grow((*scratch)[:0], bound)
	if cap(*scratch) <= slack {
		defer c.scratch.Put(scratch)
	}
	out, err := c.whole.DecodeAll(src, (*scratch)[:0:bound])
	switch {
	case err != nil:
		return nil, codec.ErrCorrupt.With("%v", err)
	case len(out) > budget:
		return nil, codec.ErrOverBudget
	}
	return append(dst, out...), nil
}

type stream struct {
	in     bytes.Reader
	frames *zstd.Decoder
}

func (c *Codec) decodeStream(dst, src []byte, window uint64, budget int) ([]byte, error) {
	s, _ := c.streams.Get().(*stream)
	if s == nil {
		frames, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecodeBuffersBelow(0), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		s = &stream{frames: frames}
	}
	s.in.Reset(src)
	if err := s.frames.Reset(&s.in); err != nil {
		return nil, codec.ErrCorrupt.With("%v", err)
	}
	out, err := codec.ReadWithin(dst, s.frames, growth*len(src), budget)
	s.in.Reset(nil)
	if window <= minWindow {
		c.streams.Put(s)
	} else {
		s.frames.Close()
	}
	return out, err
}
