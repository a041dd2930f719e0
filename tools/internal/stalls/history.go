package stalls

import "time"

// stall is a time in which the machine stood still.
type stall struct{ from, to time.Time }

// history is stalls, oldest first.
type history []stall

// note takes two looks at the time, one after the other.
func (h *history) note(before, now time.Time) {
	if now.Sub(before) >= least {
		*h = append(*h, stall{before, now})
	}
}

func (h history) between(from, to time.Time) (sum time.Duration) {
	for _, s := range h {
		begin, end := s.from, s.to
		if begin.Before(from) {
			begin = from
		}
		if end.After(to) {
			end = to
		}
		sum += max(end.Sub(begin), 0)
	}
	return sum
}

func (h history) after(from time.Time, d time.Duration) time.Time {
	at := from.Add(d)
	for _, s := range h {
		if begin := s.from; s.to.After(from) && begin.Before(at) {
			if begin.Before(from) {
				begin = from
			}
			at = at.Add(s.to.Sub(begin))
		}
	}
	return at
}
