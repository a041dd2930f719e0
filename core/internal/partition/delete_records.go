package partition

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// ToHighWatermark stands for the high watermark in [Partition.DeleteRecords].
const ToHighWatermark int64 = -1

// DeleteRecords raises the log start offset for a client, which may not name
// one above the high watermark; one that is passed already is no error. It
// returns the low watermark, which is the smallest log start offset of the
// replicas. When it returns, no reader finds what is below, and nor does it
// come back after a restart.
func (p *Partition) DeleteRecords(offset int64) (low int64, refused *refusal.Refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	visible, start := p.visible.Load(), p.start.Load()
	if offset == ToHighWatermark {
		offset = visible
	}
	switch {
	case p.failure != nil:
		return -1, p.failure
	case !p.Role().Writable:
		return -1, errNotLeader
	case p.settings.Load().retention.keepsRecords:
		return -1, refusal.New(kerr.PolicyViolation, "cleanup.policy of topic %s has no delete", p.id.Topic)
	case offset < 0 || offset > visible:
		return -1, refusal.New(kerr.OffsetOutOfRange, "offset %d is not within [%d, %d]", offset, start, visible)
	case offset <= start:
		return start, nil
	}
	if err := p.trim(offset); err != nil {
		p.trimFailed(err)
		return -1, refusalOf(err)
	}
	return offset, nil
}
