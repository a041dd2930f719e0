package guard

import (
	"bytes"
	"context"
	"time"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Codec is a codec that is held to its budget. Safe for concurrent use.
type Codec struct {
	id       string
	instance codec.Codec
	info     codec.Info
	timeout  time.Duration
	meter    *meter
}

// Info is the codec's.
func (c *Codec) Info() codec.Info { return c.info }

// Decompress appends at most budget bytes to dst. Input that is corrupt or would
// give more counts as a call but not as a failure of the module: it is the
// sender's.
func (c *Codec) Decompress(ctx context.Context, dst, src []byte, budget int) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	began := c.meter.begin()
	err = recovered(func() (err error) {
		out, err = c.instance.Decompress(ctx, dst, src, budget)
		return err
	})
	c.meter.end(began)
	switch {
	case err != nil && module.ClassOf(err) == module.Invalid:
		return nil, err
	case err != nil:
		c.meter.fail(err)
		return nil, err
	case len(out) < len(dst) || len(out)-len(dst) > budget:
		err = module.Fatalf("codec answered %d bytes for a budget of %d", len(out)-len(dst), budget)
		c.meter.fail(err)
		return nil, err
	}
	return out, nil
}

// Compress appends the compressed src to dst. A level that the codec does not
// have stands for its default: the levels that a topic may be given are those of
// Kafka's codecs.
func (c *Codec) Compress(ctx context.Context, dst, src []byte, level int) (out []byte, err error) {
	if _, err := c.info.Level(level); err != nil {
		level = codec.LevelDefault
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	began := c.meter.begin()
	err = recovered(func() (err error) {
		out, err = c.instance.Compress(ctx, dst, src, level)
		return err
	})
	c.meter.end(began)
	switch {
	case err != nil:
		c.meter.fail(err)
		return nil, err
	case !bytes.HasPrefix(out, dst):
		err = module.Fatalf("codec did not append what it compressed to the %d bytes that were there", len(dst))
		c.meter.fail(err)
		return nil, err
	}
	return out, nil
}

// The name of the codec of each attribute in a batch, for errors.
var attributeNames = [8]string{"none", "gzip", "snappy", "lz4", "zstd"}

// Decompress finds the codec by the low three bits of a batch's attributes and
// appends what it makes of src to dst, at most budget bytes and at most
// max.decompressed.message.bytes.
func (s *Set) Decompress(attributes int8, dst, src []byte, budget int) ([]byte, error) {
	c, err := s.codec(attributes)
	if err != nil {
		return nil, err
	}
	return c.Decompress(context.Background(), dst, src, min(budget, s.maxDecompressed))
}

// Compress finds the codec as Decompress does and appends the compressed src to
// dst.
func (s *Set) Compress(attributes int8, dst, src []byte, level int) ([]byte, error) {
	c, err := s.codec(attributes)
	if err != nil {
		return nil, err
	}
	return c.Compress(context.Background(), dst, src, level)
}

func (s *Set) codec(attributes int8) (*Codec, error) {
	attribute := attributes & 7
	if c := s.codecs[attribute]; c != nil {
		return c, nil
	}
	if name := attributeNames[attribute]; name != "" {
		return nil, codec.ErrNone.With("add %s to modules.codec", name)
	}
	return nil, codec.ErrNone.With("%d is the attribute of none", attribute)
}
