package guard

import (
	"context"
	"time"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Codec is a codec that is held to its budget. Safe for concurrent use.
type Codec struct {
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

// The name of the codec of each attribute in a batch, for errors.
var attributeNames = [8]string{"none", "gzip", "snappy", "lz4", "zstd"}

// Decompress finds the codec by the low three bits of a batch's attributes and
// appends what it makes of src to dst, at most budget bytes and at most
// max.decompressed.message.bytes.
func (s *Set) Decompress(attributes int8, dst, src []byte, budget int) ([]byte, error) {
	attribute := attributes & 7
	c := s.codecs[attribute]
	if c == nil {
		if name := attributeNames[attribute]; name != "" {
			return nil, module.Invalidf("no codec %s: add it to modules.codec", name)
		}
		return nil, module.Invalidf("no codec has the attribute %d", attribute)
	}
	return c.Decompress(context.Background(), dst, src, min(budget, s.maxDecompressed))
}
