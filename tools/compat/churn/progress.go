package churn

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"odradek.dev/tools/compat/churn/event"
)

// progressWithin is how long after a start of the broker that follows a crash
// a member may be without progress: a new record that it processed, and whose
// commit the broker answered. Records alone would show nothing of the group:
// they are fetched without its coordinator.
const progressWithin = 10 * time.Second

// progressOf adds the session for kafka-go, which does not come back as the
// member that it was: it joins under a new id, and the coordinator has to wait
// for the old one until that one's session is over.
func progressOf(library string) time.Duration {
	if library == "kafka-go" {
		return sessionTimeout + progressWithin
	}
	return progressWithin
}

// saysCommitted is false for sarama, which does not let its user know: its
// progress is a record.
func saysCommitted(library string) bool { return library != "sarama" }

// deed is what was done to a process. One that names no process ends the flow
// of records: the broker is killed, or the producer is done.
type deed struct {
	at               int64 // Unix milliseconds
	action           action
	process, library string
}

// restart is a start of the broker that follows a crash.
type restart struct {
	at int64 // Unix milliseconds
	// ends has of each partition an offset from which on every record was
	// written after the start: what a library had fetched before is no progress.
	ends map[int32]int64
	// heard is when a process first told of progress.
	heard map[string]int64
}

func (r *restart) after(at int64) time.Duration { return time.Duration(at-r.at) * time.Millisecond }

// did takes what is done to a process, in the order of time.
func (l *ledger) did(at int64, what action, process, library string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deeds = append(l.deeds, deed{at: at, action: what, process: process, library: library})
}

func (l *ledger) restarted(at int64, ends map[int32]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.restarts = append(l.restarts, &restart{at: at, ends: ends, heard: make(map[string]int64)})
}

// progress takes the event by which a process has got to the offset next. It
// has l.mu locked.
func (l *ledger) progress(process string, e event.Event, next int64) {
	for _, r := range l.restarts {
		if _, before := r.heard[process]; !before && next > r.ends[e.Partition] {
			r.heard[process] = e.At
		}
	}
}

// silent looks for members that made no progress in time after the broker had
// started again. All that run are bound to have a partition by then: a group
// has fewer members than there are partitions, but for dead ones, which are
// rid of theirs after a session.
func (l *ledger) silent() (faults []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.restarts {
		due := l.due(r)
		for _, process := range slices.Sorted(maps.Keys(due)) {
			heard, ever := r.heard[process]
			switch within := r.after(due[process]); {
			case !ever:
				faults = append(faults, fmt.Sprintf("%s made no progress, and had %v for it after the broker's start", process, within))
			case heard > due[process]:
				faults = append(faults, fmt.Sprintf("%s made progress %v after the broker's start, and had %v for it", process, r.after(heard), within))
			}
		}
	}
	return faults
}

// due is until when each process has to make progress after a restart.
// It has only processes that ran then and until that time, while records
// flowed. Whatever is done to another member within that time can cause one
// more rebalance, so the time begins anew, but not once the group has to be
// stable.
func (l *ledger) due(r *restart) map[string]int64 {
	due, within := make(map[string]int64), make(map[string]int64)
	for _, d := range l.deeds {
		if d.at > r.at {
			l.postpone(r, d, due, within)
			continue
		}
		switch d.action {
		case join:
			within[d.process] = progressOf(d.library).Milliseconds()
			due[d.process] = l.after(r.at, within[d.process])
		case resume:
			due[d.process] = l.after(r.at, within[d.process])
		case leave, kill, stop:
			delete(due, d.process)
		}
	}
	return due
}

// postpone takes a deed that came after the restart: it changes nothing for
// those whose time was over.
func (l *ledger) postpone(r *restart, d deed, due, within map[string]int64) {
	for process, by := range due {
		switch {
		case by < d.at:
		case d.process == "", d.process == process:
			delete(due, process)
		case d.at <= l.after(r.at, settleWithin.Milliseconds()):
			due[process] = l.after(d.at, within[process])
		}
	}
}
