package isr

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// log is what the machine knows of its replica's log: offsets, no bytes.
type log struct {
	// start <= end; durable <= end.
	start, durable, end int64
	// epochs has each leader epoch with at least one record in the log, both
	// fields strictly ascending. The first may begin below start.
	epochs []replication.EpochStart
	// prior is the epoch of the record just below the first of epochs, -1 if
	// unknown: retention may have removed all that a follower had to compare.
	prior int32
}

func openLog(v replication.LogView) log {
	l := log{start: v.Start, durable: min(v.Durable, v.End), end: v.End, prior: -1}
	for _, e := range v.Epochs {
		if e.Start < v.End {
			l.epochs = append(l.epochs, e)
		}
	}
	l.trim(v.Start)
	return l
}

// lastEpoch is that of the last record, -1 if unknown.
func (l *log) lastEpoch() int32 {
	if n := len(l.epochs); n > 0 {
		return l.epochs[n-1].Epoch
	}
	return l.prior
}

// extend notes an append that was carried out.
func (l *log) extend(base, end int64, epoch int32) error {
	if base < l.end || end <= base || epoch < l.lastEpoch() {
		return module.Fatalf("append of %d to %d in epoch %d to a log that ends at %d in epoch %d",
			base, end, epoch, l.end, l.lastEpoch())
	}
	if len(l.epochs) == 0 || epoch > l.lastEpoch() {
		l.epochs = append(l.epochs, replication.EpochStart{Epoch: epoch, Start: base})
	}
	l.end = end
	return nil
}

// truncate forgets all from end on.
func (l *log) truncate(end int64) {
	n := len(l.epochs)
	for n > 0 && l.epochs[n-1].Start >= end {
		n--
	}
	l.epochs = l.epochs[:n]
	l.end = end
	l.durable = min(l.durable, end)
}

// trim forgets all below start.
func (l *log) trim(start int64) {
	n := 0
	for n < len(l.epochs) && l.endOfRun(n) <= start {
		n++
	}
	if n > 0 {
		l.prior = l.epochs[n-1].Epoch
		l.epochs = append(l.epochs[:0], l.epochs[n:]...)
	}
	l.start = max(l.start, start)
}

// restart empties the log and begins it again at start.
func (l *log) restart(start int64) {
	*l = log{start: start, durable: start, end: start, epochs: l.epochs[:0], prior: -1}
}

// endOfRun is where the n-th of epochs ends.
func (l *log) endOfRun(n int) int64 {
	if n+1 < len(l.epochs) {
		return l.epochs[n+1].Start
	}
	return l.end
}

// runFrom is the epoch of the record at offset and the end of its run. offset
// must be within the log.
func (l *log) runFrom(offset int64) (epoch int32, end int64) {
	n := len(l.epochs) - 1
	for n > 0 && l.epochs[n].Start > offset {
		n--
	}
	return l.epochs[n].Epoch, l.endOfRun(n)
}

// agrees reports whether a log that ends at end with a record of lastEpoch is
// a part of this one, so far as this one can tell. An empty log agrees.
func (l *log) agrees(end int64, lastEpoch int32) bool {
	switch {
	case end > l.end:
		return false
	case lastEpoch < 0:
		return true
	case len(l.epochs) == 0 || end <= l.epochs[0].Start:
		return end == l.firstStart() && lastEpoch == l.prior
	}
	epoch, _ := l.runFrom(end - 1)
	return epoch == lastEpoch
}

func (l *log) firstStart() int64 {
	if len(l.epochs) == 0 {
		return l.end
	}
	return l.epochs[0].Start
}

// endOfEpoch is the largest epoch at or below epoch that the log has, and
// where it ends; -1 and the start of the log for none.
func (l *log) endOfEpoch(epoch int32) (found int32, end int64) {
	for n := len(l.epochs) - 1; n >= 0; n-- {
		if l.epochs[n].Epoch <= epoch {
			return l.epochs[n].Epoch, l.endOfRun(n)
		}
	}
	return -1, l.start
}
