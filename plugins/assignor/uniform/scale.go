package uniform

import (
	"cmp"
	"slices"
)

// scale picks members of one topic: the lightest ones in turn, to give each
// one partition more, and the heaviest ones in turn, to take one from each.
//
// At its light end are members of one load. When each of them got one they are
// that much heavier, and those join them who had as much before. The heavy end
// is its mirror.
type scale struct {
	// load is everybody's, and changes while the scale is in use.
	load []int
	// members were sorted by load when the scale was made.
	members []int

	// members[:lightEnd] are the light end. They have lightLoad, or one more if
	// they are before nextLight.
	lightEnd, nextLight, lightLoad int
	// members[heavyStart:heavyEnd] are the heavy end. They have heavyLoad, or
	// one less if they are behind nextHeavy. Those from heavyEnd on have nothing
	// to give.
	heavyStart, heavyEnd, nextHeavy, heavyLoad int
}

// newScale takes at least one member.
func newScale(load, members []int) *scale {
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(load[a], load[b]) })
	last := len(sorted) - 1
	return &scale{
		load: load, members: sorted,
		lightLoad:  load[sorted[0]] - 1,
		heavyStart: len(sorted), heavyEnd: len(sorted), nextHeavy: last, heavyLoad: load[sorted[last]] + 1,
	}
}

func (s *scale) imbalance() int {
	return s.load[s.members[len(s.members)-1]] - s.load[s.members[0]]
}

// level reports whether moving from the heavy to the light end would not help.
func (s *scale) level() bool { return s.heavyLoad-s.lightLoad <= 1 }

// nextLightest returns the member that is to get a partition.
func (s *scale) nextLightest() int {
	if s.nextLight == s.lightEnd {
		s.lightLoad++
		for s.lightEnd < len(s.members) && s.load[s.members[s.lightEnd]] == s.lightLoad {
			s.lightEnd++
		}
		s.nextLight = 0
	}
	s.nextLight++
	return s.members[s.nextLight-1]
}

// nextHeaviest returns the member that is to lose a partition; it has something
// to give. There may be none.
func (s *scale) nextHeaviest(has func(member int) bool) (int, bool) {
	for {
		if s.nextHeavy < s.heavyStart {
			s.widenHeavyEnd()
		}
		if s.nextHeavy < 0 {
			return 0, false
		}
		member := s.members[s.nextHeavy]
		if has(member) {
			s.nextHeavy--
			return member, true
		}
		s.heavyEnd--
		s.members[s.nextHeavy], s.members[s.heavyEnd] = s.members[s.heavyEnd], member
		s.nextHeavy--
	}
}

// widenHeavyEnd begins a turn at the next lower load.
func (s *scale) widenHeavyEnd() {
	if s.heavyEnd <= s.heavyStart && s.heavyStart > 0 {
		// Nobody at the heavy end has anything: the next member below begins
		// another.
		s.heavyLoad = s.load[s.members[s.heavyStart-1]]
	} else {
		s.heavyLoad--
	}
	for s.heavyStart > 0 && s.load[s.members[s.heavyStart-1]] == s.heavyLoad {
		s.heavyStart--
	}
	s.nextHeavy = s.heavyEnd - 1
}
