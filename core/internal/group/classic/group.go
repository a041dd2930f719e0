package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/group/deadline"
	"odradek.dev/core/internal/group/step"
)

// State is a state of a group, by the word that Kafka shows for it.
type State string

const (
	// Empty has no members; it may have some that are to come, see pending.
	Empty State = "Empty"
	// PreparingRebalance waits for the members to join.
	PreparingRebalance State = "PreparingRebalance"
	// CompletingRebalance waits for what the leader decides.
	CompletingRebalance State = "CompletingRebalance"
	// Stable has what the leader decided.
	Stable State = "Stable"
	// Dead is removed, and left by all.
	Dead State = "Dead"
)

// Group is one group. It is for one goroutine.
type Group struct {
	id    string
	world step.World

	state State
	// since is when the state began, -1 if a record does not say.
	since int64
	// recorded: the log has a record of the group.
	recorded bool
	// led is whether the record has a leader. One of members that are yet to be
	// assigned has none.
	led bool
	// generation counts the rebalances. It is ahead of the log from when the
	// members have joined until the leader has decided.
	generation int32
	// protocolType is that of the members, or of the last that there were. It
	// is empty while there were none.
	protocolType string
	// protocol is the one that was chosen for the generation, empty if there
	// are no members.
	protocol string
	// leader is the id of a member; it is empty if and only if there are none.
	leader string

	members  members
	pending  pending
	sessions deadline.Queue[string]

	// initial: the rebalance that is being prepared is the first of a group
	// that was empty. It waits for a while, for others to come, and not for all.
	initial initialDelay
	// joinBy is when those who have not joined are left out, and syncBy when
	// those who have not synced are; Never if nobody is waited for.
	joinBy, syncBy int64

	rebalancing rebalancing
}

// New makes an empty group. It is in the log only when somebody has joined.
func New(id string, w step.World) *Group {
	return &Group{
		id: id, world: w, state: Empty, since: -1,
		members: newMembers(0), pending: newPending(),
		joinBy: step.Never, syncBy: step.Never,
	}
}

// ID is the group's id.
func (g *Group) ID() string { return g.id }

// State is the state.
func (g *Group) State() State { return g.state }

// Generation is the number of the last rebalance whose members had all joined.
func (g *Group) Generation() int32 { return g.generation }

// ProtocolType is the type of protocol of the members, or of those that there
// were; it is empty if there never were any, as with a group that has only
// committed offsets.
func (g *Group) ProtocolType() string { return g.protocolType }

// Protocol is the one that was chosen for the generation; empty if there are no
// members.
func (g *Group) Protocol() string { return g.protocol }

// Size is the number of members.
func (g *Group) Size() int { return len(g.members.inOrder) }

// Vacant says that there is nothing of the group: no record, no member, and no
// id that somebody was given to join with.
func (g *Group) Vacant() bool { return !g.recorded && g.Size() == 0 && len(g.pending.byID) == 0 }

// EmptySince is when the last member left. It reports false if the group is
// not empty, or the log does not say.
func (g *Group) EmptySince() (int64, bool) {
	return g.since, g.state == Empty && g.since >= 0
}

// Deadline is when Tick is to be called, step.Never if not.
func (g *Group) Deadline() int64 {
	return min(g.joinBy, g.syncBy, g.sessions.At())
}

// Tick does what time brings: members whose session is over, and rebalances
// that wait no longer.
func (g *Group) Tick(now int64, out *step.Output) {
	for g.Deadline() <= now {
		switch {
		case g.joinBy <= now:
			g.joinDue(now, out)
		case g.syncBy <= now:
			g.syncDue(now, out)
		default:
			g.sessionOver(now, g.sessions.First(), out)
		}
	}
}

// member finds who a request comes from. A static member is known by its
// instance id too: of two processes that have the same, the last to join is it.
func (g *Group) member(id string, instanceID *string) (*member, *kerr.Error) {
	if instanceID != nil {
		switch m := g.members.byInstance[*instanceID]; {
		case m == nil:
			return nil, kerr.UnknownMemberID
		case m.id != id:
			return nil, kerr.FencedInstanceID
		}
	}
	m := g.members.byID[id]
	if m == nil {
		return nil, kerr.UnknownMemberID
	}
	return m, nil
}

// remove takes a member out. The caller looks after the rebalance.
func (g *Group) remove(m *member, out *step.Output) {
	g.answerJoin(m, joinError("", kerr.UnknownMemberID), out)
	g.answerSync(m, syncError(kerr.UnknownMemberID), out)
	g.sessions.Remove(&m.session)
	g.members.remove(m)
	if g.leader == m.id {
		g.leader = g.members.firstID()
	}
}
