package coordinator

import (
	"errors"

	"odradek.dev/core/internal/group/grouplog"
)

// mostFaults bounds the lines about one log.
const mostFaults = 10

// passedOver are the records of a log that tell the machine nothing. They stay
// in the log until their keys are written again; meanwhile an older record of the
// same key stands, if there is one, so that a group goes on from an offset that
// it has committed.
type passedOver struct {
	// unreadable counts records that are broken, or of a version of which this
	// release does not know the format. faults are the first of them.
	unreadable int
	faults     []fault
	// foreign counts those of kinds of groups that are not coordinated here.
	foreign int
	// lost is what is damaged and was given up.
	lost []damage
}

// offsets counts those that were given up, each of which may have been a record.
func (p *passedOver) offsets() (offsets int) {
	for _, d := range p.lost {
		offsets += int(d.Last - d.First + 1)
	}
	return offsets
}

type fault struct {
	offset int64
	err    error
}

func (p *passedOver) add(offset int64, err error) {
	if errors.Is(err, grouplog.ErrUnknownType) {
		p.foreign++
		return
	}
	if p.unreadable++; len(p.faults) < mostFaults {
		p.faults = append(p.faults, fault{offset, err})
	}
}

// report is about a log whose groups are coordinated from now on. The same is not
// said again when the log had to be read anew. mu is held.
func (s *shard) report(p passedOver) {
	if p.unreadable == s.told.unreadable && p.foreign == s.told.foreign && len(p.lost) == len(s.told.lost) {
		return
	}
	s.told = p
	log := s.Log.With("topic", Topic, "partition", s.number)
	for _, d := range p.lost[:min(len(p.lost), mostFaults)] {
		log.Error("damaged records of groups were passed over, as offsets.topic.lost says: what they said counts no more until it is said again",
			"offset", d.First, "last-offset", d.Last, "error", d.err)
	}
	if more := len(p.lost) - mostFaults; more > 0 {
		log.Error("more damaged records of groups were passed over", "parts", more)
	}
	for _, f := range p.faults {
		log.Error("a record of groups cannot be read and was passed over: what it says counts no more until it is said again", "offset", f.offset, "error", f.err)
	}
	if more := p.unreadable - len(p.faults); more > 0 {
		log.Error("more records of groups cannot be read and were passed over", "records", more)
	}
	if p.foreign > 0 {
		log.Warn("records of kinds of groups that this release does not coordinate were passed over", "records", p.foreign)
	}
	if n := p.unreadable + p.offsets(); s.Observer != nil && n > 0 {
		s.Observer.Unreadable(n)
	}
}
