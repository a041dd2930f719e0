package churn

import (
	"fmt"
	"slices"
	"sync"

	"odradek.dev/tools/compat/churn/event"
)

// ledger is what the members of one group have told. Safe for concurrent use.
type ledger struct {
	// after adds milliseconds in which the machine runs to a time in Unix
	// milliseconds.
	after func(at, ms int64) int64

	mu      sync.Mutex
	members map[string]*memberLedger
	// consumed says of each offset of a partition whether a member processed it.
	consumed map[int32][]bool
	// tried are the offsets that a member committed or may have, and known those
	// of which the broker said so, in the order of their times.
	tried map[int32]map[int64]bool
	known map[int32][]committed
	// begun is where a member began to consume a partition that it was assigned.
	begun []beginning
	// owners are the assignments of each partition.
	owners map[int32][]*ownership
	// deeds and restarts are what the members and the broker went through, in the
	// order of their times.
	deeds    []deed
	restarts []*restart
	faults   []string
	// complaints counts the errors that libraries reported, which are no faults.
	complaints map[string]int
}

// memberLedger is one process.
type memberLedger struct {
	library string
	// owned are the assignments that it has not given up.
	owned map[int32]*ownership
	// next is the offset that has to follow in a partition of which a record
	// was processed.
	next map[int32]int64
}

// ownership is a partition in the hands of one member id, at least from one
// generation, or member epoch, to another.
type ownership struct {
	process, member string
	from, to        int32
	// at is when the member was told, in Unix milliseconds.
	at int64
}

type committed struct {
	at, offset int64
}

type beginning struct {
	process   string
	partition int32
	assigned  int64 // Unix milliseconds
	offset    int64
}

func newLedger(after func(at, ms int64) int64) *ledger {
	return &ledger{
		after: after, members: make(map[string]*memberLedger), consumed: make(map[int32][]bool), tried: make(map[int32]map[int64]bool),
		known: make(map[int32][]committed), owners: make(map[int32][]*ownership), complaints: make(map[string]int),
	}
}

// add takes the next event of a process.
func (l *ledger) add(process, library string, e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.members[process]
	if m == nil {
		m = &memberLedger{library: library, owned: make(map[int32]*ownership), next: make(map[int32]int64)}
		l.members[process] = m
	}
	switch e.Kind {
	case event.Assigned:
		for _, p := range e.Partitions {
			delete(m.next, p)
			m.owned[p] = &ownership{process: process, member: e.Member, from: e.Generation, to: e.Generation, at: e.At}
			l.owners[p] = append(l.owners[p], m.owned[p])
		}
	case event.Revoked, event.Lost:
		l.release(m, e)
	case event.Records:
		l.process(process, m, e)
		if !saysCommitted(library) {
			l.progress(process, e, e.Last+1)
		}
	case event.Committing:
		if l.tried[e.Partition] == nil {
			l.tried[e.Partition] = make(map[int64]bool)
		}
		l.tried[e.Partition][e.Offset] = true
	case event.Committed:
		l.known[e.Partition] = append(l.known[e.Partition], committed{at: e.At, offset: e.Offset})
		l.progress(process, e, e.Offset)
	case event.Failed:
		l.complaints[library+": "+e.Error]++
	default:
		l.fault("%s prints an event %q", process, e.Kind)
	}
}

func (l *ledger) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// release takes partitions from a member. One that has lost them does not know
// until when it had them.
func (l *ledger) release(m *memberLedger, e event.Event) {
	for _, p := range e.Partitions {
		if o := m.owned[p]; o != nil && e.Kind == event.Revoked && o.member == e.Member {
			o.to = max(o.to, e.Generation)
		}
		delete(m.owned, p)
		delete(m.next, p)
	}
}

func (l *ledger) process(process string, m *memberLedger, e event.Event) {
	owned := m.owned[e.Partition]
	if owned == nil {
		l.fault("%s processes offset %d of partition %d, which it was not assigned", process, e.First, e.Partition)
		return
	}
	next, consuming := m.next[e.Partition]
	switch {
	case !consuming:
		l.begun = append(l.begun, beginning{process: process, partition: e.Partition, assigned: owned.at, offset: e.First})
	case next != e.First:
		l.fault("%s processes offset %d of partition %d after %d", process, e.First, e.Partition, next-1)
	}
	m.next[e.Partition] = e.Last + 1
	seen := l.consumed[e.Partition]
	if grow := int(e.Last) + 1 - len(seen); grow > 0 {
		seen = append(seen, make([]bool, grow)...)
	}
	for offset := e.First; offset <= e.Last; offset++ {
		seen[offset] = true
	}
	l.consumed[e.Partition] = seen
}

// unconsumed looks for records that no member processed; ends are the offsets
// after the last record of each partition.
func (l *ledger) unconsumed(ends map[int32]int64) (faults []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for partition, end := range ends {
		seen := l.consumed[partition]
		for offset := range end {
			if int(offset) >= len(seen) || !seen[offset] {
				faults = append(faults, fmt.Sprintf("offset %d of partition %d, which ends at %d, was processed by nobody", offset, partition, end))
				break
			}
		}
	}
	return faults
}

// jumps looks for members that did not begin where the group had got to: at an
// offset that nobody committed, or before one that was known to be committed
// when the partition was assigned. It has what was seen at once, too: gaps
// between two records, and records of partitions of others.
func (l *ledger) jumps() (faults []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	faults = slices.Clone(l.faults)
	for _, b := range l.begun {
		if b.offset != 0 && !l.tried[b.partition][b.offset] {
			faults = append(faults, fmt.Sprintf("%s begins partition %d at offset %d, which nobody committed", b.process, b.partition, b.offset))
		}
		for _, c := range l.known[b.partition] {
			if c.at < b.assigned && c.offset > b.offset {
				faults = append(faults, fmt.Sprintf("%s begins partition %d at offset %d although %d had been committed %d ms before it was assigned",
					b.process, b.partition, b.offset, c.offset, b.assigned-c.at))
				break
			}
		}
	}
	return faults
}

// shared looks for partitions that two members had in one generation, or in one
// member epoch.
func (l *ledger) shared() (faults []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for partition, owners := range l.owners {
		for i, a := range owners {
			for _, b := range owners[i+1:] {
				if a.member != b.member && a.from <= b.to && b.from <= a.to {
					faults = append(faults, fmt.Sprintf("partition %d was that of %s (%s) in generation %d to %d and of %s (%s) in %d to %d",
						partition, a.process, a.member, a.from, a.to, b.process, b.member, b.from, b.to))
				}
			}
		}
	}
	return faults
}

// idle are the libraries of which no member ever processed a record.
func (l *ledger) idle(libraries []string) (idle []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	worked := make(map[string]bool)
	for _, b := range l.begun {
		worked[l.members[b.process].library] = true
	}
	for _, library := range libraries {
		if !worked[library] {
			idle = append(idle, library)
		}
	}
	return idle
}
