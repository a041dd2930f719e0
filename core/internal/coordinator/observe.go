package coordinator

import (
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/step"
)

// Observer is told of what is to be measured. It must not block, and is safe
// for concurrent use.
type Observer interface {
	// Loaded is about the log of one partition, which had so many records.
	Loaded(records int, took time.Duration)
	// Unreadable is about a log that was loaded, and records in it that were
	// passed over since they cannot be read or were given up: each offset may
	// have been one.
	Unreadable(records int)
	// Rebalanced is about a group of a type, classic or consumer.
	Rebalanced(groupType string, took time.Duration)
}

func (s *shard) observe(out step.Output) {
	if s.Observer == nil {
		return
	}
	for _, r := range out.Rebalances {
		s.Observer.Rebalanced(r.Type, time.Duration(r.TookMs)*time.Millisecond)
	}
}

// oneLine is a note as it can stand in a log: clients choose the names of groups
// and members, and none may look like a line of the broker's.
func oneLine(note string) string {
	if utf8.ValidString(note) && !strings.ContainsFunc(note, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return note
	}
	return strconv.Quote(note)
}

// Overviews are the groups that are coordinated here, in no order. Whoever
// ranges over them holds up the groups of a partition, and must not call the
// coordinator.
func (c *Coordinator) Overviews() iter.Seq[group.Overview] {
	return func(yield func(group.Overview) bool) {
		for _, s := range c.all() {
			if !s.overviews(yield) {
				return
			}
		}
	}
}

func (s *shard) overviews(yield func(group.Overview) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != serving {
		return true
	}
	for o := range s.machine.Overviews() {
		if !yield(o) {
			return false
		}
	}
	return true
}

// Loading is how many partitions of the topic are read at present, and how many
// of those could not be read when it was last tried.
func (c *Coordinator) Loading() (partitions, failed int) {
	for _, s := range c.all() {
		s.mu.Lock()
		if s.state == loading {
			partitions++
			if s.failures > 0 {
				failed++
			}
		}
		s.mu.Unlock()
	}
	return partitions, failed
}

// Explain says who decided what the members of a group have; false if this
// broker knows of no such group.
func (c *Coordinator) Explain(groupID string) (step.Explanation, bool) {
	s := c.shardOf(groupID)
	if s == nil {
		return step.Explanation{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != serving {
		return step.Explanation{}, false
	}
	return s.machine.Explain(groupID)
}
