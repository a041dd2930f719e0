package partition

import (
	"errors"
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
)

// Decompress appends the decompressed src to dst; what it adds is at most
// budget bytes. attribute is the codec's number in a batch's attributes. Safe
// for concurrent use.
type Decompress func(attribute int8, dst, src []byte, budget int) ([]byte, error)

// Compress appends the compressed src to dst. [codec.LevelDefault] is the codec's
// own level. Safe for concurrent use.
type Compress func(attribute int8, dst, src []byte, level int) ([]byte, error)

// codecs opens batches, and packs them again, within bounded memory. Safe for
// concurrent use.
type codecs struct {
	decompress Decompress
	compress   Compress
	// pool has buffers for what is opened.
	pool sync.Pool
	// large is held by whoever opens a batch that grows more than is usual, so
	// that several of these at once take no more memory than one.
	large sync.Mutex
}

func newCodecs(o Options) *codecs { return &codecs{decompress: o.Decompress, compress: o.Compress} }

const (
	// usualGrowth is how many times its size a batch usually has once it is
	// opened, at most; usualBytes is usual for any.
	usualGrowth = 16
	usualBytes  = 1 << 20
	// mostKept bounds the buffers that are kept.
	mostKept = 4 << 20
)

// opened is the records of a batch as they are without compression. They are
// there until it is closed.
type opened struct {
	records []byte
	buffer  *[]byte
	large   bool
}

// open decompresses the records of a batch, if they are compressed, to at most
// budget bytes.
func (c *codecs) open(b record.Batch, budget int) (opened, error) {
	if b.Compression() == 0 {
		return opened{records: b.Records()}, nil
	}
	o := opened{}
	if o.buffer, _ = c.pool.Get().(*[]byte); o.buffer == nil {
		o.buffer = new([]byte)
	}
	usual := min(budget, max(usualGrowth*len(b), usualBytes))
	records, err := c.decompress(b.Compression(), (*o.buffer)[:0], b.Records(), usual)
	if usual < budget && errors.Is(err, codec.ErrOverBudget) {
		c.large.Lock()
		o.large = true
		records, err = c.decompress(b.Compression(), (*o.buffer)[:0], b.Records(), budget)
	}
	if err != nil {
		c.close(o)
		return opened{}, err
	}
	o.records, *o.buffer = records, records
	return o, nil
}

func (c *codecs) close(o opened) {
	if o.large {
		c.large.Unlock()
	}
	if o.buffer != nil && cap(*o.buffer) <= mostKept {
		c.pool.Put(o.buffer)
	}
}

// codecRefusal is what a client is told when a codec fails on its batch. What
// the batch can not be opened with stays wrong however often it is sent; a
// module that does not answer may be there soon.
func codecRefusal(err error) *refusal.Refusal {
	switch {
	case errors.Is(err, codec.ErrNone):
		return refusal.New(kerr.UnsupportedCompressionType, "%v", err)
	case module.ClassOf(err) == module.Invalid:
		return refusal.New(kerr.InvalidRecord, "the records cannot be decompressed: %v", err)
	case module.ClassOf(err) == module.Retriable:
		return refusal.New(kerr.RequestTimedOut, "the codec of the batch does not answer: %v", err)
	}
	return refusal.New(kerr.UnknownServerError, "the codec of the batch failed: %v", err)
}
