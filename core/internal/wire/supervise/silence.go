package supervise

import "time"

const (
	// lookEach is how often a host that waits for a process looks whether the time
	// for it is over.
	lookEach = 100 * time.Millisecond
	// stall is by how much a look is late when the host stood still. By less than
	// that it may have waited for the others on its machine.
	stall = 100 * time.Millisecond
)

// silence is of a process that was asked and has yet to answer. It counts the time
// in which the host ran: when all of a machine stands still or is short of
// processors the host is too, and finds its own timers late.
type silence struct {
	// left is how much longer it is borne.
	left time.Duration
	// excused is set while the look before was late, and not counted for that. Of
	// two in a row one counts, so that a host which is always late finds a process
	// that hangs.
	excused bool
}

// next is after how long to look; 0 if the time is over.
func (s *silence) next() time.Duration { return min(s.left, lookEach) }

// look takes after how long it came in truth. It counts at most what next said:
// what passed beyond that is no fault of the process.
func (s *silence) look(after time.Duration) {
	asked := s.next()
	if late := after-asked >= stall; late && !s.excused {
		s.excused = true
		return
	}
	s.excused = false
	s.left -= asked
}
