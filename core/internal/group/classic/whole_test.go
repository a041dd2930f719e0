package classic

import (
	"maps"
	"testing"

	"odradek.dev/core/internal/group/step"
)

// requireWhole checks what a group keeps twice against each other, and what must
// hold between two steps.
func requireWhole(t *testing.T, g *Group) {
	t.Helper()
	statics, joining, unsynced, timed := 0, 0, 0, len(g.pending.byID)
	supporters, kept, pending := map[string]int{}, 0, 0
	for _, m := range g.members.inOrder {
		requireWholeMember(t, g, m)
		statics, timed = statics+one(m.isStatic()), timed+one(m.session.Waits())
		joining, unsynced = joining+one(m.join.is), unsynced+one(m.unsynced)
		kept += m.size()
		for _, p := range m.protocols {
			supporters[p.Name]++
		}
	}
	for id := range g.pending.byID {
		pending += pendingSize(id)
	}
	populated := g.Size() > 0
	for what, holds := range map[string]bool{
		"one member an id":                      len(g.members.byID) == g.Size(),
		"one member an instance id":             len(g.members.byInstance) == statics,
		"count of those that wait to join":      g.members.joining == joining,
		"count of those that have not synced":   g.members.unsynced == unsynced,
		"bytes of members":                      g.members.kept == kept,
		"bytes of pending ids":                  g.pending.kept == pending,
		"supporters of protocols":               maps.Equal(g.members.supporters, supporters),
		"sessions of members and pending alone": g.sessions.Len() == timed,
		"a leader, if there are members":        populated == (g.members.byID[g.leader] != nil) && populated == (g.leader != ""),
		"a time until which is waited to join":  (g.state == PreparingRebalance) == (g.joinBy != step.Never),
		"a time until which is waited to sync":  (unsynced > 0) == (g.syncBy != step.Never),
		"a state that has members":              !populated || g.state != Empty && g.state != Dead,
		"a state that has none":                 populated || g.state != Stable && g.state != CompletingRebalance,
		"a protocol that all support":           !populated || g.members.choose() != "",
	} {
		if !holds {
			t.Fatalf("%s does not hold in %s, generation %d, %d members", what, g.state, g.generation, g.Size())
		}
	}
}

func requireWholeMember(t *testing.T, g *Group, m *member) {
	t.Helper()
	switch {
	case g.members.byID[m.id] != m, m.session.Value != m.id:
		t.Fatalf("%s is not found by its id", m.id)
	case m.isStatic() && g.members.byInstance[*m.instanceID] != m:
		t.Fatalf("%s is not found by its instance id", m.id)
	case !m.session.Waits() && !m.join.is && !m.sync.is:
		t.Fatalf("nothing ends the session of %s", m.id)
	case m.join.is && g.state != PreparingRebalance, m.sync.is && g.state != CompletingRebalance:
		t.Fatalf("%s waits in a group that is %s", m.id, g.state)
	}
}
