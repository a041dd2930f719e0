package partition

import (
	"math"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
)

// rememberedBatches is how many batches of a producer are known by sequence
// number: as many as a client may have in flight.
const rememberedBatches = 5

// producers is the state of the idempotent producers of one partition. It is
// always derived from the log: apply is called with every batch that is in it,
// and with no other.
type producers struct {
	byID map[int64]*producer
	// expireMs is producer.id.expiration.ms.
	expireMs int64
	// sweepAt is the number of producers at which expired ones are looked for.
	sweepAt int
}

// producer is one producer id.
type producer struct {
	epoch int16
	// batches are the last ones of this epoch, the newest first.
	batches [rememberedBatches]sequenced
	count   int
	// seenMs is when the last batch came, or the log was opened.
	seenMs int64
}

// noEpoch is the epoch of a producer that sends none with its id. Its batches are
// compared, and may have any sequence number.
const noEpoch = -1

// sequenced is a batch that was appended.
type sequenced struct {
	first, last int32
	lastOffset  int64
	// timestamp is the batch's largest.
	timestamp int64
}

func (s sequenced) baseOffset() int64 { return s.lastOffset - int64(offsetDelta(s.first, s.last)) }

const firstSweep = 1024

// check says whether the batch of an idempotent producer may be appended. It
// is a duplicate if it was appended already; the batch that it equals is then
// returned.
func (p *producers) check(b record.Batch, nowMs int64) (duplicate *sequenced, refused *refusal.Refusal) {
	known := p.live(b.ProducerID(), nowMs)
	if known == nil {
		// Any sequence number begins a producer that is not known: what came
		// before it may have been removed from the log (KIP-360).
		return nil, nil
	}
	first, last := b.BaseSequence(), lastSequence(b)
	switch {
	case b.ProducerEpoch() < known.epoch:
		return nil, refusal.New(kerr.InvalidProducerEpoch, "producer %d sent epoch %d after epoch %d", b.ProducerID(), b.ProducerEpoch(), known.epoch)
	case b.ProducerEpoch() > known.epoch && first != 0 && known.epoch != noEpoch:
		return nil, refusal.New(kerr.OutOfOrderSequenceNumber, "producer %d began epoch %d with the sequence number %d", b.ProducerID(), b.ProducerEpoch(), first)
	case b.ProducerEpoch() > known.epoch || known.count == 0:
		return nil, nil
	}
	for i := range known.batches[:known.count] {
		if s := &known.batches[i]; s.first == first && s.last == last {
			return s, nil
		}
	}
	if newest := known.batches[0]; known.epoch != noEpoch && first != nextSequence(newest.last) {
		return nil, refusal.New(kerr.OutOfOrderSequenceNumber, "producer %d sent the sequence number %d after %d", b.ProducerID(), first, newest.last)
	}
	return nil, nil
}

// live returns the producer unless it is unknown or has expired.
func (p *producers) live(id, nowMs int64) *producer {
	known := p.byID[id]
	if known == nil || p.expired(known, nowMs) {
		return nil
	}
	return known
}

func (p *producers) expired(known *producer, nowMs int64) bool {
	return nowMs-known.seenMs >= p.expireMs
}

// apply takes note of a batch that is in the log. The batch's header is enough.
func (p *producers) apply(b record.Batch, nowMs int64) {
	if b.ProducerID() < 0 {
		return
	}
	known := p.byID[b.ProducerID()]
	if known == nil {
		known = p.add(b.ProducerID(), nowMs)
	}
	if known.epoch != b.ProducerEpoch() || p.expired(known, nowMs) {
		known.epoch, known.count = b.ProducerEpoch(), 0
	}
	known.seenMs = nowMs
	if b.Control() {
		return
	}
	copy(known.batches[1:], known.batches[:])
	known.batches[0] = sequenced{
		first: b.BaseSequence(), last: lastSequence(b), lastOffset: b.LastOffset(), timestamp: b.MaxTimestamp(),
	}
	known.count = min(known.count+1, rememberedBatches)
}

func (p *producers) add(id, nowMs int64) *producer {
	if p.byID == nil {
		p.byID = make(map[int64]*producer)
		p.sweepAt = firstSweep
	}
	if len(p.byID) >= p.sweepAt {
		p.sweep(nowMs)
	}
	known := &producer{epoch: -1}
	p.byID[id] = known
	return known
}

// sweep forgets expired producers. It runs when their number has doubled, so
// that no timer is needed and each is looked at a bounded number of times.
func (p *producers) sweep(nowMs int64) {
	for id, known := range p.byID {
		if p.expired(known, nowMs) {
			delete(p.byID, id)
		}
	}
	p.sweepAt = max(firstSweep, 2*len(p.byID))
}

func lastSequence(b record.Batch) int32 { return addSequence(b.BaseSequence(), b.LastOffsetDelta()) }

// addSequence wraps after 2^31-1, as clients do.
func addSequence(s, delta int32) int32 { return int32((int64(s) + int64(delta)) & math.MaxInt32) }

func nextSequence(s int32) int32 { return addSequence(s, 1) }

// offsetDelta is what has to be added to first to come to last.
func offsetDelta(first, last int32) int32 { return int32((int64(last) - int64(first)) & math.MaxInt32) }
