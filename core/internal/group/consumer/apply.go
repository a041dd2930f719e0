package consumer

import (
	"slices"
	"strings"

	"odradek.dev/core/internal/group/grouplog"
)

// Apply takes in a record of the group, from the log or made just now. Records
// of another kind change nothing.
func (g *Group) Apply(r grouplog.Record) {
	switch key := r.Key.(type) {
	case grouplog.ConsumerGroupKey:
		value, present := r.Value.(*grouplog.ConsumerGroup)
		g.applyGroup(value, present)
	case grouplog.MemberKey:
		value, present := r.Value.(*grouplog.Member)
		g.applyMember(key.Member, value, present)
	case grouplog.TargetKey:
		// Without a target a group is where it begins: it may have been deleted,
		// and made again by records that follow.
		g.targetEpoch, g.targetTime = 1, 0
		if value, present := r.Value.(*grouplog.Target); present {
			g.targetEpoch, g.targetTime = value.Epoch, value.Timestamp
		}
	case grouplog.TargetMemberKey:
		value, present := r.Value.(*grouplog.TargetMember)
		g.applyTarget(key.Member, value, present)
	case grouplog.CurrentKey:
		value, present := r.Value.(*grouplog.Current)
		g.applyCurrent(key.Member, value, present)
	case grouplog.RegexKey:
		value, present := r.Value.(*grouplog.Regex)
		g.applyRegex(key.Regex, value, present)
	}
}

func (g *Group) applyGroup(value *grouplog.ConsumerGroup, present bool) {
	g.exists, g.epoch, g.metadataHash = present, 0, 0
	if present {
		g.epoch, g.metadataHash = value.Epoch, value.MetadataHash
	}
}

func (g *Group) applyMember(id string, info *grouplog.Member, present bool) {
	m := g.members[id]
	if m != nil {
		g.counts.count(m, -1)
		if static := m.instance(); g.statics[static] == m {
			delete(g.statics, static)
		}
	}
	if !present {
		if m != nil {
			g.own(m, current{})
			delete(g.members, id)
			g.timers.remove(m)
		}
		return
	}
	if m == nil {
		if m = g.unnamed[id]; m == nil {
			m = &member{id: id}
		}
		delete(g.unnamed, id)
		g.members[id] = m
		g.timers.add(m)
	}
	m.info, m.topics = info, slices.Compact(slices.Sorted(slices.Values(info.Topics)))
	g.counts.count(m, +1)
	if static := m.instance(); static != "" {
		g.statics[static] = m
	}
}

// part finds the member whose part a record is; it makes one that waits for its
// description if the record says something.
func (g *Group) part(id string, present bool) *member {
	if m := g.members[id]; m != nil {
		return m
	}
	m := g.unnamed[id]
	if m == nil && present && g.unnamed != nil {
		m = &member{id: id}
		g.unnamed[id] = m
	}
	return m
}

func (g *Group) applyTarget(id string, value *grouplog.TargetMember, present bool) {
	m := g.part(id, present)
	if m == nil {
		return
	}
	m.target, m.targeted = nil, present
	if present {
		m.target = placesOf(value.Partitions)
	}
}

func (g *Group) applyCurrent(id string, value *grouplog.Current, present bool) {
	m := g.part(id, present)
	if m == nil {
		return
	}
	var now current
	if present {
		now = currentOf(value)
	}
	g.own(m, now)
}

// own makes a member hold what it has now, and no more.
func (g *Group) own(m *member, now current) {
	if !g.ownsJust(m, now) {
		g.release(m, m.current.assigned)
		g.release(m, m.current.revoking)
		for _, h := range now.assigned {
			g.owners[h.place] = m
		}
		for _, h := range now.revoking {
			g.owners[h.place] = m
		}
	}
	m.current = now
	m.revision++
}

// ownsJust reports whether a member has what it is to have, and nobody else has
// any of it: then only its epoch is another.
func (g *Group) ownsJust(m *member, now current) bool {
	return len(m.current.revoking)+len(now.revoking) == 0 &&
		slices.EqualFunc(m.current.assigned, now.assigned, func(a, b held) bool { return a.place == b.place && g.owners[a.place] == m })
}

// release gives up a holding, but for what has passed to somebody else.
func (g *Group) release(m *member, holding []held) {
	for _, h := range holding {
		if g.owners[h.place] == m {
			delete(g.owners, h.place)
		}
	}
}

func (g *Group) applyRegex(regex string, value *grouplog.Regex, present bool) {
	if !present {
		delete(g.regexes, regex)
		return
	}
	resolved := *value
	resolved.Topics = slices.Sorted(slices.Values(value.Topics))
	g.regexes[regex] = &resolved
}

// Loaded ends the replay of the log: every member has a whole session ahead of
// it, and the topics are looked at in the next tick.
func (g *Group) Loaded(now int64) {
	for _, m := range g.unnamed {
		g.own(m, current{})
	}
	g.unnamed = nil
	for _, m := range g.members {
		g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
		if m.current.state == unrevoked {
			g.timers.set(m, g.revocationTimer(m), now+int64(m.info.RebalanceTimeoutMillis))
		}
	}
	for _, resolved := range g.regexes {
		g.regexesAt = max(g.regexesAt, resolved.Timestamp)
	}
	// The clock may have been set back since, and nothing must wait for that.
	g.targetTime, g.regexesAt = min(g.targetTime, now), min(g.regexesAt, now)
	if len(g.members) > 0 {
		g.refreshAt = now
	}
}

func (g *Group) sessionTimeout(m *member) int64 {
	if m.classic() {
		return int64(m.info.Classic.SessionTimeoutMillis)
	}
	return int64(g.settings().ConsumerSessionTimeoutMs)
}

// revocationTimer is the one that bounds how long a member may keep what it is
// to give up. A classic member gives up by joining again.
func (g *Group) revocationTimer(m *member) timer {
	if m.classic() {
		return joinTimer
	}
	return revokeTimer
}

func compareMembers(a, b *member) int { return strings.Compare(a.id, b.id) }
