package groups

import (
	"errors"
	"fmt"
	"sync"
)

type place struct {
	partition int32
	offset    int64
}

// ledger is what the members of one group have told. Safe for concurrent use.
type ledger struct {
	mu sync.Mutex
	// times says how often each record was consumed.
	times map[place]int
	// by says how many records each member consumed.
	by     map[string]int
	faults []error
	// committed are offsets that nobody is to consume again; see settled.
	committed map[int32]int64
	// changed is closed and replaced when something is told.
	changed chan struct{}
}

// worthReading is how many faults of one kind are.
const worthReading = 10

func newLedger() *ledger {
	return &ledger{times: map[place]int{}, by: map[string]int{}, changed: make(chan struct{})}
}

func (l *ledger) consumed(member string, partition int32, offset int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times[place{partition, offset}]++
	l.by[member]++
	if end := l.committed[partition]; offset < end && len(l.faults) < worthReading {
		l.faults = append(l.faults, fmt.Errorf("%s: offset %d of partition %d was consumed when the group had committed %d", member, offset, partition, end))
	}
	l.tell()
}

// settled says what the group has committed. Who consumes what is before it, from
// now on, has not begun where the group had ended.
func (l *ledger) settled(committed map[int32]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed = committed
}

func (l *ledger) failed(member string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, fmt.Errorf("%s: %w", member, err))
	l.tell()
}

// fault is what the members reported.
func (l *ledger) fault() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.faults...)
}

// tell wakes who waits; mu is held.
func (l *ledger) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// distinct is how many records were consumed, each counted once.
func (l *ledger) distinct() (count int, changed <-chan struct{}, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.times), l.changed, len(l.faults) > 0
}

// judge returns an error unless each of the records up to the ends was consumed
// once, by all of the members together, and nobody reported a fault.
func (l *ledger) judge(ends map[int32]int64, members int) error {
	return l.judgeRepeated(ends, members, 1)
}

// judgeRepeated is judge where a record may be consumed as often as most.
func (l *ledger) judgeRepeated(ends map[int32]int64, members, most int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, total := append([]error(nil), l.faults...), int64(0)
	for partition, end := range ends {
		total += end
		for offset := range end {
			if times := l.times[place{partition, offset}]; (times < 1 || times > most) && len(all) < worthReading {
				all = append(all, fmt.Errorf("offset %d of partition %d was consumed %d times", offset, partition, times))
			}
		}
	}
	if int64(len(l.times)) > total {
		all = append(all, fmt.Errorf("%d records were consumed of %d", len(l.times), total))
	}
	if len(l.by) != members {
		all = append(all, fmt.Errorf("these consumed: %v; want %d members", l.by, members))
	}
	return errors.Join(all...)
}
