package fetchsession

// Key names a partition in a session. A session whose requests name topics by
// id leaves Topic empty, any other leaves TopicID zero: a topic that was
// created again is the same by name and another by id.
type Key struct {
	Topic   string
	TopicID [16]byte
	Index   int32
}

// Wanted is what a reader asks of a partition.
type Wanted struct {
	Offset int64
	// LeaderEpoch is the one that the reader knows, or -1. LastEpoch is that of
	// the last record that it has, or -1.
	LeaderEpoch, LastEpoch int32
	MaxBytes               int32
}

// Partition is one partition of a session.
type Partition[P any] struct {
	Key
	Wanted
	// Place is the caller's: where it found the partition.
	Place P

	// highWatermark and logStartOffset are what the reader was told last; -1 if
	// it has to be told again.
	highWatermark, logStartOffset int64
	// before and after are its neighbours in the session's order.
	before, after *Partition[P]
}

// Result is what was found in a partition.
type Result struct {
	HighWatermark, LogStartOffset int64
	// Bytes is the size of the records.
	Bytes int64
	// Failed says that there is an error in place of records, Diverging that the
	// reader's log and this one part.
	Failed, Diverging bool
}

// told remembers a result and says whether it is news to the reader.
func (p *Partition[P]) told(r Result) bool {
	news := r.Failed || r.Diverging || r.Bytes > 0 || r.HighWatermark != p.highWatermark || r.LogStartOffset != p.logStartOffset
	p.highWatermark, p.logStartOffset = r.HighWatermark, r.LogStartOffset
	if r.Failed {
		// So that the reader hears of it when the error is gone.
		p.highWatermark = -1
	}
	return news
}
