package consumer

import (
	"cmp"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// Heartbeat is all that a member of the consumer protocol ever says: it joins,
// leaves, changes its subscription, and tells what it owns. It is answered in
// this step, or, if it needs an assignment that is being computed, in a later
// one.
func (g *Group) Heartbeat(now int64, to step.Token, client step.Client, r *kmsg.ConsumerGroupHeartbeatRequest, out *step.Output) {
	refused := Check(r, g.settings())
	if refused == nil {
		if r.MemberEpoch < 0 {
			refused = g.leave(now, to, r, out)
		} else {
			refused = g.heartbeat(now, to, client, r, out)
		}
	}
	if refused != nil {
		out.Answer(to, refusedHeartbeat(refused))
	}
}

func refusedHeartbeat(refused *refusal.Refusal) *kmsg.ConsumerGroupHeartbeatResponse {
	response := kmsg.NewPtrConsumerGroupHeartbeatResponse()
	response.ErrorCode, response.ErrorMessage = refused.Outcome()
	return response
}

// heartbeat refuses before it changes anything.
func (g *Group) heartbeat(now int64, to step.Token, client step.Client, r *kmsg.ConsumerGroupHeartbeatRequest, out *step.Output) *refusal.Refusal {
	o := ownedOf(r.Topics)
	m, refused := g.sender(r, o)
	if refused == nil && (r.SubscribedTopicRegex == nil || g.counts.regexes[*r.SubscribedTopicRegex] == 0) {
		refused = CheckRegex(r)
	}
	if refused != nil {
		return refused
	}
	id := r.MemberID
	if id == "" {
		id = g.world.NewID()
	}
	joins := m == nil
	if !joins && (m.id != id || m.current.epoch == leftForNow) {
		m = g.replace(m, id, out)
	}
	if joins {
		m = &member{id: id}
	}
	change := g.describe(m, describedBy(m.info, r, client), out)
	m = g.members[id]
	g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
	// It may have been of the classic protocol until now.
	g.timers.cancel(m, joinTimer)
	g.timers.cancel(m, syncTimer)
	g.resolve(now, m, out)
	g.assign(now, out)
	w := waiter{to: to, member: m, owned: o, subscriptionChanged: change.subscription, assigned: m.current.assigned}
	w.tell = r.MemberEpoch == 0 || r.RebalanceTimeoutMillis != -1 && (r.SubscribedTopicNames != nil || r.SubscribedTopicRegex != nil) && o.told
	waits := r.MemberEpoch == 0 || change.subscription || change.epoch
	if !waits && g.isAssigning() {
		waits = !g.reconcile(now, m, o, false, out)
	}
	if waits && g.wait(now, w) {
		return nil
	}
	g.answer(now, w, out)
	return nil
}

// sender finds the member that a heartbeat is from: nil for one that joins. A
// static member that comes back under a new id is found as it was.
func (g *Group) sender(r *kmsg.ConsumerGroupHeartbeatRequest, o owned) (*member, *refusal.Refusal) {
	if refused := g.checkSize(r.MemberID, r.InstanceID); refused != nil {
		return nil, refused
	}
	m, refused := g.claimed(r)
	if refused != nil || m == nil {
		return nil, refused
	}
	if m.id == r.MemberID {
		if refused := checkEpoch(m, r.MemberEpoch, o); refused != nil {
			return nil, refused
		}
	}
	return m, checkState(m, o)
}

func (g *Group) claimed(r *kmsg.ConsumerGroupHeartbeatRequest) (*member, *refusal.Refusal) {
	switch {
	case r.InstanceID == nil && r.MemberEpoch == 0:
		return g.members[r.MemberID], nil
	case r.InstanceID == nil:
		if m := g.members[r.MemberID]; m != nil {
			return m, nil
		}
		return nil, g.unknownMember(r.MemberID)
	case r.MemberEpoch != 0:
		return g.staticMember(*r.InstanceID, r.MemberID)
	}
	m := g.statics[*r.InstanceID]
	if m == nil {
		return g.members[r.MemberID], nil
	}
	if !m.classic() && m.current.epoch != leftForNow {
		return nil, refusal.New(kerr.UnreleasedInstanceID, "instance %q of group %q is member %q, which has not left", *r.InstanceID, g.id, m.id)
	}
	return m, nil
}

func ownedOf(topics []kmsg.ConsumerGroupHeartbeatRequestTopic) owned {
	o := owned{told: topics != nil}
	for _, topic := range topics {
		o.places = slices.Grow(o.places, len(topic.Partitions))
		for _, partition := range topic.Partitions {
			o.places = append(o.places, place{topic.TopicID, partition})
		}
	}
	return o
}

// describedBy is what the log is to say of a member after a heartbeat: what the
// request leaves null stays as it was.
func describedBy(before *grouplog.Member, r *kmsg.ConsumerGroupHeartbeatRequest, client step.Client) grouplog.Member {
	var info grouplog.Member
	if before != nil {
		info = *before
	} else {
		none := "" // Kafka writes no null
		info.Regex = &none
	}
	info.ClientID, info.ClientHost, info.Classic = client.ID, client.Host, nil
	info.InstanceID = cmp.Or(r.InstanceID, info.InstanceID)
	info.RackID = cmp.Or(r.RackID, info.RackID)
	info.ServerAssignor = cmp.Or(r.ServerAssignor, info.ServerAssignor)
	info.Regex = cmp.Or(r.SubscribedTopicRegex, info.Regex)
	if r.RebalanceTimeoutMillis != -1 {
		info.RebalanceTimeoutMillis = r.RebalanceTimeoutMillis
	}
	if r.SubscribedTopicNames != nil {
		info.Topics = slices.Compact(slices.Sorted(slices.Values(r.SubscribedTopicNames)))
	}
	return info
}

// change is what a new description of a member came to.
type change struct {
	subscription bool
	// epoch is whether the group epoch was raised.
	epoch bool
}

// describe makes the records of a member's description, if it is a new one: of
// the member and of the group epoch. The epoch is not raised for a regular
// expression that is yet to be resolved: there is nothing to assign anew until it
// is, and there will be then.
func (g *Group) describe(m *member, info grouplog.Member, out *step.Output) change {
	before, topics, regex := m.info, m.topics, ""
	if before != nil {
		if sameInfo(before, &info) {
			return change{}
		}
		regex = m.regex()
	}
	assignor, made := g.assignor(), info
	g.emit(out, grouplog.MemberKey{Group: g.id, Member: m.id}, &made)
	m = g.members[m.id]
	named := !slices.Equal(topics, m.topics)
	expressed := regex != m.regex()
	if expressed {
		g.dropRegex(regex, out)
	}
	decides := assignor != g.assignor()
	c := change{subscription: named || expressed}
	c.epoch = named || decides || !g.isUnresolved(m) && (expressed || before == nil)
	switch {
	case c.epoch:
		g.bump(out)
	case !g.exists:
		g.stamp(g.epoch, g.hashTopics(), out)
	case expressed && regex != "":
		// What the one before came to is to be assigned anew, even if this one comes to
		// nothing and the group starts over from its log: no topics have this hash.
		g.stamp(g.epoch, ^g.hashTopics(), out)
	}
	return c
}

// answer takes a member a step nearer to its target and tells it where it is.
func (g *Group) answer(now int64, w waiter, out *step.Output) {
	m := w.member
	g.reconcile(now, m, w.owned, w.subscriptionChanged, out)
	response := kmsg.NewPtrConsumerGroupHeartbeatResponse()
	response.MemberID = &m.id
	response.MemberEpoch = m.current.epoch
	response.HeartbeatIntervalMillis = g.settings().ConsumerHeartbeatIntervalMs
	if w.tell || !slices.Equal(w.assigned, m.current.assigned) {
		response.Assignment = toldOf(m.current.assigned)
	}
	out.Answer(w.to, response)
}

func toldOf(holding []held) *kmsg.ConsumerGroupHeartbeatResponseAssignment {
	assignment := kmsg.NewConsumerGroupHeartbeatResponseAssignment()
	for _, topic := range byTopic(placesHeld(holding)) {
		told := kmsg.NewConsumerGroupHeartbeatResponseAssignmentTopic()
		told.TopicID, told.Partitions = topic.TopicID, topic.Partitions
		assignment.Topics = append(assignment.Topics, told)
	}
	return &assignment
}

// reconcile takes a member a step nearer to its target, and reports whether there
// was one to take.
func (g *Group) reconcile(now int64, m *member, o owned, subscriptionChanged bool, out *step.Output) bool {
	if !subscriptionChanged && m.isReconciledTo(g.targetEpoch) {
		return false
	}
	r := reconciliation{
		targetEpoch: g.targetEpoch, target: m.target, owned: o,
		subscribed:          g.subscription(m),
		subscriptionChanged: subscriptionChanged,
		free: func(p place) bool {
			owner := g.owners[p]
			return owner == nil || owner == m
		},
	}
	next := r.next(m.current)
	if next.equal(m.current) {
		return false
	}
	g.emit(out, grouplog.CurrentKey{Group: g.id, Member: m.id}, next.record())
	g.endRebalance(now, out)
	if next.state != unrevoked {
		g.timers.cancel(m, revokeTimer)
	} else if !m.classic() {
		g.timers.set(m, revokeTimer, now+int64(m.info.RebalanceTimeoutMillis))
	}
	return true
}

// subscription is subscribesTo for one member. Places are in the order of their
// topics, so that remembering the last asks once for each.
func (g *Group) subscription(m *member) func(topic [16]byte) bool {
	var last [16]byte
	var asked, wanted bool
	return func(topic [16]byte) bool {
		if !asked || topic != last {
			last, asked, wanted = topic, true, g.subscribesTo(m, topic)
		}
		return wanted
	}
}
