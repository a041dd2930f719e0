package coordinator

import (
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// mostRemembered bounds the assignments that a shard remembers.
const mostRemembered = 256

// remembered is what an assignor answered last for a group.
type remembered struct {
	assignor string
	snapshot assignor.Snapshot
	given    assignor.Assignment
}

// assign has an assignment computed, which may take as long as the assignor's
// deadline, and gives it to the machine that asked for it. An assignor is not
// asked again about a group in which nothing changed: whatever it would say now,
// nobody's partitions move without a reason. mu is held.
func (s *shard) assign(a step.Assign) {
	if last, ok := s.assigned.Get(a.Group); ok && last.assignor == a.Assignor && assignor.Unchanged(last.snapshot, last.given, a.Snapshot) {
		s.carryOut(s.machine.Assigned(s.now(), step.Assigned{Assign: a, Assignment: last.given}))
		return
	}
	load := s.loads
	s.work.begin(func() {
		assignment, fallback, err := s.Assign(s.context, a.Assignor, a.Snapshot)
		s.mu.Lock()
		defer s.unlock()
		if s.loads != load || s.state != serving {
			return
		}
		if err == nil && !fallback {
			s.assigned.Add(a.Group, remembered{a.Assignor, a.Snapshot, assignment})
		}
		s.step(func() step.Output {
			return s.machine.Assigned(s.now(), step.Assigned{Assign: a, Assignment: assignment, Fallback: fallback, Err: err})
		})
	})
}
