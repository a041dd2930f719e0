package coordinator

import (
	"odradek.dev/core/internal/group/step"
)

// assign has an assignment computed, which may take as long as the assignor's
// deadline, and gives it to the machine that asked for it. mu is held.
func (s *shard) assign(a step.Assign) {
	load := s.loads
	s.work.begin(func() {
		assignment, fallback, err := s.Assign(s.context, a.Assignor, a.Snapshot)
		s.mu.Lock()
		defer s.unlock()
		if s.loads != load || s.state != serving {
			return
		}
		s.carryOut(s.machine.Assigned(s.now(), step.Assigned{Assign: a, Assignment: assignment, Fallback: fallback, Err: err}))
	})
}
