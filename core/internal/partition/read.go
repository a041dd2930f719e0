package partition

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/storage"
)

// Fetched answers a read. The offsets are set even when there is nothing to
// read or the read was refused for its offset.
type Fetched struct {
	Refusal                       *refusal.Refusal
	HighWatermark, LogStartOffset int64
	// Chunk is where the batches are; see [storage.Chunk].
	Chunk storage.Chunk
	// Diverging is set where the reader has records that the log has not; there
	// are no others then.
	Diverging *EpochEnd
	// Seen goes to [Partition.Watch]: growth from here on has not been read.
	Seen int64
	// Leader and Epoch are hints for a client whose broker does not lead.
	Leader, Epoch int32
}

// AnyEpoch is for readers that do not know the leader epoch.
const AnyEpoch int32 = -1

// Read finds the visible batches from the one that holds offset, at most
// maxBytes of them but at least one whole batch if there is one; none if maxBytes
// is not above 0. epoch is the leader epoch that the reader knows.
func (p *Partition) Read(offset int64, epoch int32, maxBytes int64) Fetched {
	role := p.role.Load()
	f := Fetched{Seen: p.visibleBytes.Load(), Leader: -1, Epoch: -1, HighWatermark: -1, LogStartOffset: -1}
	if f.Refusal = p.readable(role, epoch); f.Refusal != nil {
		return f.WithLeader(*role)
	}
	// In this order: then the start is no higher than the high watermark.
	f.LogStartOffset, f.HighWatermark = p.start.Load(), p.visible.Load()
	switch {
	case offset < f.LogStartOffset || offset > p.end.Load():
		f.Refusal = refusal.New(kerr.OffsetOutOfRange, "offset %d is not within [%d, %d]", offset, f.LogStartOffset, p.end.Load())
	case offset < f.HighWatermark && maxBytes > 0:
		chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: offset, Before: f.HighWatermark, MaxBytes: maxBytes})
		if err != nil {
			f.Refusal = p.readFailed(err)
		}
		f.Chunk = chunk
	}
	return f
}

// MayRead says whether a reader that knows the leader epoch may read here now.
func (p *Partition) MayRead(epoch int32) *refusal.Refusal { return p.readable(p.role.Load(), epoch) }

// readable says whether a reader that knows epoch may read here.
func (p *Partition) readable(role *Role, epoch int32) *refusal.Refusal {
	switch {
	case !role.Readable:
		if err := p.Failure(); err != nil {
			return refusalOf(err)
		}
		return errNotLeader
	case epoch == AnyEpoch || epoch == role.Epoch:
		return nil
	case epoch < role.Epoch:
		return refusal.New(kerr.FencedLeaderEpoch, "leader epoch %d is over; it is %d", epoch, role.Epoch)
	}
	return refusal.New(kerr.UnknownLeaderEpoch, "leader epoch %d is not known here yet; it is %d", epoch, role.Epoch)
}

// readFailed is about a log that could not be read. It may have been removed
// or trimmed a moment ago, which is no failure: a reader that comes just before
// the end of the partition is told what one is that comes after it. Damage was
// told of when the log was opened, and is not again for each reader who comes to
// it.
func (p *Partition) readFailed(err error) *refusal.Refusal {
	if ended := p.Failure(); ended != nil && errors.Is(err, storage.ErrClosed) {
		return refusalOf(ended)
	}
	known := errors.Is(err, storage.ErrOffsetOutOfRange) || errors.Is(err, storage.ErrClosed) || errors.Is(err, storage.ErrCorrupt)
	if known || p.host.noteDirectory(p.dir, err) {
		return refusalOf(err)
	}
	p.host.Log.Error("cannot read the log", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
	return refusalOf(err)
}
