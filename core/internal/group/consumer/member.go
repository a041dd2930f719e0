package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/grouplog"
)

// member is what the log says of one member, and its timers.
type member struct {
	id   string
	info *grouplog.Member
	// topics is info's, ascending.
	topics []string
	// current is the zero value until the first assignment.
	current current
	// revision counts the changes of current in this run of the machine.
	revision uint64
	target   []place
	targeted bool
	shift    shift

	timers memberTimers
}

// isReconciledTo reports whether the member has what the target of an epoch has
// for it.
func (m *member) isReconciledTo(epoch int32) bool {
	return m.current.state == stable && m.current.epoch == epoch
}

func (m *member) classic() bool { return m.info.Classic != nil }

func (m *member) regex() string {
	if m.info.Regex == nil {
		return ""
	}
	return *m.info.Regex
}

func (m *member) instance() string {
	if m.info.InstanceID == nil {
		return ""
	}
	return *m.info.InstanceID
}

// sameInfo reports whether two descriptions of a member would be the same
// record.
func sameInfo(a, b *grouplog.Member) bool {
	return same(a.InstanceID, b.InstanceID) && same(a.RackID, b.RackID) && a.ClientID == b.ClientID && a.ClientHost == b.ClientHost &&
		slices.Equal(a.Topics, b.Topics) && same(a.Regex, b.Regex) && a.RebalanceTimeoutMillis == b.RebalanceTimeoutMillis &&
		same(a.ServerAssignor, b.ServerAssignor) && sameClassic(a.Classic, b.Classic)
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func sameClassic(a, b *grouplog.ClassicMember) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SessionTimeoutMillis == b.SessionTimeoutMillis && slices.EqualFunc(a.Protocols, b.Protocols, func(p, q grouplog.ClassicProtocol) bool {
		return p.Name == q.Name && string(p.Metadata) == string(q.Metadata)
	})
}
