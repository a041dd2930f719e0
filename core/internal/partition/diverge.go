package partition

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// Diverged answers a reader that says in which leader epoch the last record was
// that it has (KIP-595). ok is false if it may go on reading at offset. Otherwise
// the answer is a refusal, or where its log and this one part, in Diverging.
func (p *Partition) Diverged(offset int64, epoch, last int32) (f Fetched, ok bool) {
	role := p.role.Load()
	f = Fetched{Seen: p.visibleBytes.Load(), Leader: -1, Epoch: -1, HighWatermark: -1, LogStartOffset: -1}
	if f.Refusal = p.readable(role, epoch); f.Refusal != nil {
		return f.WithLeader(*role), true
	}
	// In this order: then the start is no higher than the high watermark.
	f.LogStartOffset, f.HighWatermark = p.start.Load(), p.visible.Load()
	end, err := p.EpochEnd(last)
	switch {
	case err != nil:
		f.Refusal = p.readFailed(err)
	case end.Epoch < 0:
		f.Refusal = refusal.New(kerr.OffsetOutOfRange, "the log knows nothing of leader epoch %d", last)
	case offset < f.LogStartOffset:
		f.Refusal = refusal.New(kerr.OffsetOutOfRange, "offset %d is below the log start offset %d", offset, f.LogStartOffset)
	case end.Epoch < last || end.Offset < offset:
		f.Diverging = &end
	default:
		return Fetched{}, false
	}
	return f, true
}

// WithLeader adds the hint that a refusal has for clients that are late.
func (f Fetched) WithLeader(role Role) Fetched {
	if f.Refusal.Kind == kerr.NotLeaderForPartition || f.Refusal.Kind == kerr.FencedLeaderEpoch {
		f.Leader, f.Epoch = role.Leader, role.Epoch
	}
	return f
}
