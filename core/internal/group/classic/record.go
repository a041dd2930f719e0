package classic

import (
	"bytes"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// recordVersion is the version of the value of the group's record.
const recordVersion = 3

// record makes the group's record, with what each member is assigned, and
// applies it: the group is stable then, or empty.
func (g *Group) record(now int64, assigned func(*member) []byte, out *step.Output) {
	v := &grouplog.ClassicGroup{GroupMetadataValue: kmsg.GroupMetadataValue{
		Version: recordVersion, ProtocolType: g.protocolType, Generation: g.generation,
		Protocol: nullable(g.protocol), Leader: nullable(g.leader), CurrentStateTimestamp: now,
	}}
	v.Members = make([]kmsg.GroupMetadataValueMember, 0, g.Size())
	for _, m := range g.members.inOrder {
		metadata, _ := m.metadata(g.protocol)
		v.Members = append(v.Members, kmsg.GroupMetadataValueMember{
			MemberID: m.id, InstanceID: m.instanceID, ClientID: m.client.ID, ClientHost: m.client.Host,
			RebalanceTimeoutMillis: m.rebalanceTimeout, SessionTimeoutMillis: m.sessionTimeoutMillis,
			Subscription: metadata, Assignment: assigned(m),
		})
	}
	g.write(grouplog.Record{Key: g.key(), Value: v}, out)
}

// assigned leaves a member what it has.
func (g *Group) assigned(m *member) []byte { return m.assignment }

func (g *Group) key() grouplog.Key { return grouplog.ClassicGroupKey{Group: g.id} }

func (g *Group) write(r grouplog.Record, out *step.Output) {
	out.Records = append(out.Records, r)
	g.Apply(r)
}

// Apply takes a record of the group: of a [grouplog.ClassicGroupKey] with the
// group's id. A tombstone makes the group Dead.
func (g *Group) Apply(r grouplog.Record) {
	v, ok := r.Value.(*grouplog.ClassicGroup)
	if !ok {
		v = &grouplog.ClassicGroup{}
		v.CurrentStateTimestamp = -1
	}
	g.recorded, g.led = ok, v.Leader != nil
	g.generation, g.protocolType, g.since = v.Generation, v.ProtocolType, v.CurrentStateTimestamp
	g.protocol, g.leader = text(v.Protocol), text(v.Leader)
	g.restore(v.Members)
	switch {
	case !ok:
		g.state = Dead
	case len(v.Members) == 0:
		g.state = Empty
	default:
		g.state = Stable
	}
}

// restore makes the members those of a record. What is known of a member
// besides, because it is not replayed, stays.
func (g *Group) restore(recorded []kmsg.GroupMetadataValueMember) {
	before := g.members.byID
	g.members = newMembers(len(recorded))
	for i := range recorded {
		r := &recorded[i]
		m := before[r.MemberID]
		if m == nil {
			m = &member{id: r.MemberID, session: session{Value: r.MemberID}}
		}
		delete(before, r.MemberID)
		m.instanceID, m.client = r.InstanceID, step.Client{ID: r.ClientID, Host: r.ClientHost}
		m.sessionTimeoutMillis, m.rebalanceTimeout = r.SessionTimeoutMillis, r.RebalanceTimeoutMillis
		if m.rebalanceTimeout < 0 {
			// Version 0 of the record has none.
			m.rebalanceTimeout = r.SessionTimeoutMillis
		}
		m.assignment = r.Assignment
		if said, ok := m.metadata(g.protocol); !ok || !bytes.Equal(said, r.Subscription) {
			m.protocols = []kmsg.JoinGroupRequestProtocol{{Name: g.protocol, Metadata: r.Subscription}}
		}
		g.members.add(m)
	}
	for _, m := range before {
		g.sessions.Remove(&m.session)
	}
	if g.members.byID[g.leader] == nil {
		g.leader = g.members.firstID()
	}
}

// Loaded is called when the log has been replayed: the members get a session
// each to be heard of.
func (g *Group) Loaded(now int64, out *step.Output) {
	for _, m := range g.members.inOrder {
		g.keepAlive(now, m)
	}
	if g.state == Stable && !g.led {
		g.rebalance(now, out, "the one that followed on the consumer protocol did not come to its end")
	}
	if room := g.world.Settings(g.id).MaxSize; g.Size() > int(room) {
		g.rebalance(now, out, fmt.Sprintf("%d members are more than group.max.size, which is %d", g.Size(), room))
	}
}

// Remove writes the tombstone of an empty group, after which it is Dead.
func (g *Group) Remove(out *step.Output) *kerr.Error {
	switch g.state {
	case Empty:
		g.entomb(out)
		return nil
	case Dead:
		return kerr.GroupIDNotFound
	default:
		return kerr.NonEmptyGroup
	}
}

// entomb writes the tombstone.
func (g *Group) entomb(out *step.Output) {
	for id := range g.pending.byID {
		g.forgetPending(id)
	}
	g.joinBy, g.syncBy, g.initial = step.Never, step.Never, initialDelay{}
	g.write(grouplog.Delete(g.key()), out)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
