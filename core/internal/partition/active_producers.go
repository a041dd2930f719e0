package partition

import (
	"cmp"
	"slices"
)

// ActiveProducer is what a partition knows of a producer id.
type ActiveProducer struct {
	ID    int64
	Epoch int16
	// LastSequence and LastTimestampMs are those of the producer's last batch,
	// -1 if it has written none in its epoch.
	LastSequence    int32
	LastTimestampMs int64
}

// ActiveProducers lists the producers that have not expired, ascending by id.
func (p *Partition) ActiveProducers() []ActiveProducer {
	now := p.host.Clock.Now().UnixMilli()
	p.mu.Lock()
	active := p.producers.active(now)
	p.mu.Unlock()
	slices.SortFunc(active, func(a, b ActiveProducer) int { return cmp.Compare(a.ID, b.ID) })
	return active
}

func (p *producers) active(nowMs int64) []ActiveProducer {
	var all []ActiveProducer
	for id, known := range p.byID {
		if p.expired(known, nowMs) {
			continue
		}
		a := ActiveProducer{ID: id, Epoch: known.epoch, LastSequence: -1, LastTimestampMs: -1}
		if known.count > 0 {
			a.LastSequence, a.LastTimestampMs = known.batches[0].last, known.batches[0].timestamp
		}
		all = append(all, a)
	}
	return all
}
