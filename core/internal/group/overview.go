package group

import (
	"iter"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
)

// Overview is one group as it is counted and measured.
type Overview struct {
	ID, Type, State string
	Members         int
	// Offsets are by topic and partition, and not to be changed or kept.
	Offsets map[string]map[int32]offsets.Committed
}

// Overviews are all groups, in no order.
func (m *Machine) Overviews() iter.Seq[Overview] {
	return func(yield func(Overview) bool) {
		for id, e := range m.groups {
			o := Overview{ID: id, Members: e.size(), Offsets: m.offsets.Of(id)}
			o.Type, o.State = e.kind()
			if o.State != string(classic.Dead) && !yield(o) {
				return
			}
		}
	}
}

// Explain says who decided what the members of a group have; false if there is
// no such group.
func (m *Machine) Explain(id string) (step.Explanation, bool) {
	switch e := m.groups[id]; {
	case e == nil:
		return step.Explanation{}, false
	case e.consumer != nil:
		return e.consumer.Explain(), true
	default:
		return e.classic.Explain(), true
	}
}
