package group

import (
	"fmt"
	"strconv"
	"time"

	"odradek.dev/tools/odradek/internal/moment"
)

// target is where offsets are to go, before the broker was asked what that is.
type target struct {
	kind targetKind
	// offset is for toOffset, shift for byShift, unixMs for toTime.
	offset, shift, unixMs int64
}

type targetKind uint8

const (
	toEarliest targetKind = iota
	toLatest
	// toCurrent is what is committed, or the end where nothing is.
	toCurrent
	toOffset
	toTime
	byShift
)

// parseTarget reads the value of --to. now is what a relative time counts from.
func parseTarget(text string, now time.Time) (target, error) {
	switch text {
	case "earliest":
		return target{kind: toEarliest}, nil
	case "latest":
		return target{kind: toLatest}, nil
	case "current":
		return target{kind: toCurrent}, nil
	}
	if offset, err := strconv.ParseInt(text, 10, 64); err == nil && offset >= 0 {
		return target{kind: toOffset, offset: offset}, nil
	}
	if at, ok := moment.Parse(text, now); ok {
		return target{kind: toTime, unixMs: at}, nil
	}
	return target{}, fmt.Errorf("--to %q is none of: earliest, latest, current, an offset (42), %s; --shift moves by a number of records", text, moment.Forms)
}

// place is one partition and what is known of it.
type place struct {
	topic     string
	partition int32
	// committed is null where nothing is; the others where the partition is
	// not led.
	committed, start, end *int64
	// since is the first offset at or after the time, the end if there is none.
	since *int64
}

// move is the offset of one partition before and after.
type move struct {
	Group     string `json:"group"`
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	// Before is null where nothing was committed.
	Before     *int64 `json:"before"`
	After      int64  `json:"after"`
	Difference *int64 `json:"difference"`
	Note       string `json:"note,omitempty"`
}

// move says where the offset of a group in one partition goes. It does not go
// out of the log.
func (t target) move(group string, p place) (move, error) {
	m := move{Group: group, Topic: p.topic, Partition: p.partition, Before: p.committed}
	switch {
	case p.start == nil || p.end == nil || t.kind == toTime && p.since == nil:
		return m, fmt.Errorf("partition %d of topic %q: its offsets are not known: it does not exist, or has no leader", p.partition, p.topic)
	case t.kind == byShift && p.committed == nil:
		return m, fmt.Errorf("group %q has no offset in partition %d of topic %q to shift; use --to", group, p.partition, p.topic)
	}
	wanted := t.wanted(p)
	m.After = min(max(wanted, *p.start), *p.end)
	switch {
	case m.After > wanted:
		m.Note = fmt.Sprintf("%d is before the log start", wanted)
	case m.After < wanted:
		m.Note = fmt.Sprintf("%d is after the log end", wanted)
	}
	if p.committed != nil {
		difference := m.After - *p.committed
		m.Difference = &difference
	}
	return m, nil
}

func (t target) wanted(p place) int64 {
	switch t.kind {
	case toEarliest:
		return *p.start
	case toLatest:
		return *p.end
	case toOffset:
		return t.offset
	case toTime:
		return *p.since
	case byShift:
		return *p.committed + t.shift
	}
	if p.committed != nil {
		return *p.committed
	}
	return *p.end
}
