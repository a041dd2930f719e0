package coordinator

import (
	"time"

	"odradek.dev/core/internal/group/step"
)

// schedule has the timer go off by the machine's deadline. One that goes off
// before it is left alone, since a commit or a heartbeat moves a deadline on,
// and none of them shall cost a timer; and so is one that is about to, which is
// all that can be done about a deadline that is past. mu is held.
func (s *shard) schedule() {
	at := step.Never
	if s.state == serving {
		at = s.machine.Deadline()
		if len(s.postponed) > 0 {
			at = s.now()
		}
		if !s.writable() && at != step.Never {
			at = max(at, s.writesAt.UnixMilli()+1)
		}
		at = max(at, s.quietUntil)
	}
	if s.timer != nil && at != step.Never && (s.timerAt <= at || s.timerAt <= s.now()) {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if at != step.Never {
		load, now := s.loads, s.Clock.Now()
		s.timer = s.Clock.AfterFunc(max(time.UnixMilli(at).Sub(now), 0), func() { s.tick(load) })
		at = max(at, now.UnixMilli())
	}
	s.timerAt = at
}

func (s *shard) tick(load int) {
	s.mu.Lock()
	if s.state == serving && s.loads == load {
		s.timer = nil
		if now := s.Clock.Now(); !s.clockWasSet(now) && !s.wasAway(now) {
			s.goOn()
		}
	}
	s.unlock()
}

// A timer that goes off later than mostLate tells of a broker that was away:
// stopped, starved, or held up by a disk. longestQuiet bounds what follows.
const (
	mostLate     = time.Second
	longestQuiet = 10 * time.Second
)

// wasAway reports whether what is due has to wait. What members sent while the
// broker was away is still to be read, and they are given as long as it was for
// that: else all of them would be out. It is not said of two timers in a row, so
// that a broker which is always late goes on. mu is held.
func (s *shard) wasAway(now time.Time) bool {
	late := now.Sub(time.UnixMilli(s.timerAt))
	if late < mostLate || s.timerAt == s.quietUntil {
		return false
	}
	s.quietUntil = now.Add(min(late, longestQuiet)).UnixMilli()
	s.Log.Warn("the broker was away: members of groups that it did not hear get as long again before they are out",
		"topic", Topic, "partition", s.number, "away", late.Round(time.Millisecond))
	return true
}

// goOn does what was postponed and what is due, unless nothing can be written.
// mu is held, and state is serving.
func (s *shard) goOn() {
	if !s.writable() {
		return
	}
	inputs := append(s.postponed, func() step.Output { return s.machine.Tick(s.now()) })
	s.postponed = nil
	for load := s.loads; len(inputs) > 0 && s.loads == load; inputs = inputs[1:] {
		s.carryOut(inputs[0]())
	}
}
