package consumer

import (
	"errors"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// joined is what the answer to a JoinGroup says beside the member's place.
type joined struct {
	protocol               string
	rebalanceTimeoutMillis int32
}

// JoinClassic is a JoinGroup of a member of the classic protocol. Nobody waits
// for others to join: it gets its place as a member of this protocol would, its
// generation is its member epoch, and it never leads. The caller looked at the
// session timeout.
func (g *Group) JoinClassic(now int64, to step.Token, client step.Client, r *kmsg.JoinGroupRequest, out *step.Output) {
	id := r.MemberID
	if id == "" {
		id = g.world.NewID()
	}
	if refused := g.joinClassic(now, to, client, id, r, out); refused != nil {
		response := refusedJoin(refused)
		if refused.Kind == kerr.MemberIDRequired {
			response.MemberID = id
		}
		out.Answer(to, response)
	}
}

func refusedJoin(refused *refusal.Refusal) *kmsg.JoinGroupResponse {
	response := kmsg.NewPtrJoinGroupResponse()
	response.ErrorCode, response.Generation = refused.Code(), -1
	return response
}

func (g *Group) joinClassic(now int64, to step.Token, client step.Client, id string, r *kmsg.JoinGroupRequest, out *step.Output) *refusal.Refusal {
	subscription, refused := g.checkJoinClassic(r)
	if refused != nil {
		return refused
	}
	m, refused := g.joiner(id, r)
	if refused != nil {
		return refused
	}
	if m == nil {
		m = &member{id: id}
	} else if m.id != id {
		m = g.replace(m, id, out)
	}
	info := joinedInfo(m.info, r, client, subscription)
	change := g.describe(m, info, out)
	m = g.members[id]
	g.timers.cancel(m, revokeTimer)
	g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
	w := waiter{
		to: to, member: m, owned: g.ownedClassic(subscription), subscriptionChanged: change.subscription,
		classic: &joined{info.Classic.Protocols[0].Name, info.RebalanceTimeoutMillis},
	}
	if !g.Downgradable() {
		g.assign(now, out)
		if change.epoch && g.wait(now, w) {
			return nil
		}
	}
	g.answerJoin(now, w, out)
	return nil
}

// joiner finds the member that a JoinGroup is from: nil for a new one. A static
// member that comes back under a new id is found as it was.
func (g *Group) joiner(id string, r *kmsg.JoinGroupRequest) (*member, *refusal.Refusal) {
	switch {
	case r.InstanceID == nil && r.MemberID == "" && r.Version >= 4:
		return nil, refusal.New(kerr.MemberIDRequired, "join again with member id %q", id)
	case r.InstanceID == nil:
		return g.members[id], nil
	case r.MemberID == "":
		return g.statics[*r.InstanceID], nil
	}
	return g.staticMember(*r.InstanceID, id)
}

func (g *Group) checkJoinClassic(r *kmsg.JoinGroupRequest) (*kmsg.ConsumerMemberMetadata, *refusal.Refusal) {
	if strings.EqualFold(g.settings().ConsumerMigrationPolicy, "disabled") {
		return nil, refusal.New(kerr.InconsistentGroupProtocol, "group %q uses the consumer protocol, and group.consumer.migration.policy is disabled", g.id)
	}
	if refused := g.checkSize(r.MemberID, r.InstanceID); refused != nil {
		return nil, refused
	}
	supported := slices.ContainsFunc(r.Protocols, func(p kmsg.JoinGroupRequestProtocol) bool {
		return g.counts.protocols[p.Name] == g.counts.classic
	})
	if r.ProtocolType != step.ConsumerProtocol || !supported {
		return nil, refusal.New(kerr.InconsistentGroupProtocol, "group %q needs protocol type %q and a protocol that all its classic members support", g.id, step.ConsumerProtocol)
	}
	subscription, err := decodeSubscription(r.Protocols[0].Metadata)
	if err != nil {
		return nil, refusal.New(kerr.InconsistentGroupProtocol, "the subscription of protocol %q cannot be read: %v", r.Protocols[0].Name, err)
	}
	return subscription, nil
}

// decodeSubscription reads a subscription; what a later version of its format
// has more is left alone.
func decodeSubscription(metadata []byte) (*kmsg.ConsumerMemberMetadata, error) {
	if len(metadata) < 2 {
		return nil, errors.New("it is empty")
	}
	subscription := kmsg.NewConsumerMemberMetadata()
	if err := subscription.ReadFrom(metadata); err != nil {
		return nil, err
	}
	return &subscription, nil
}

func joinedInfo(before *grouplog.Member, r *kmsg.JoinGroupRequest, client step.Client, subscription *kmsg.ConsumerMemberMetadata) grouplog.Member {
	var info grouplog.Member
	if before != nil {
		info = *before
	}
	if r.InstanceID != nil {
		info.InstanceID = r.InstanceID
	}
	if subscription.Rack != nil {
		info.RackID = subscription.Rack
	}
	info.ClientID, info.ClientHost = client.ID, client.Host
	info.Topics = slices.Compact(slices.Sorted(slices.Values(subscription.Topics)))
	none := ""
	info.Regex = &none
	info.RebalanceTimeoutMillis = r.RebalanceTimeoutMillis
	if r.Version < 1 || info.RebalanceTimeoutMillis == -1 {
		info.RebalanceTimeoutMillis = r.SessionTimeoutMillis
	}
	info.Classic = &grouplog.ClassicMember{SessionTimeoutMillis: r.SessionTimeoutMillis}
	for _, p := range r.Protocols {
		info.Classic.Protocols = append(info.Classic.Protocols, grouplog.ClassicProtocol{Name: p.Name, Metadata: p.Metadata})
	}
	return info
}

// ownedClassic is what a member owns by its subscription. One of a version that
// cannot say gave up everything before it joined.
func (g *Group) ownedClassic(subscription *kmsg.ConsumerMemberMetadata) owned {
	o := owned{told: true}
	for _, topic := range subscription.OwnedPartitions {
		known, exists := g.world.Topic(topic.Topic)
		if !exists {
			continue
		}
		for _, partition := range topic.Partitions {
			o.places = append(o.places, place{known.ID, partition})
		}
	}
	return o
}

// answerJoin takes a classic member a step nearer to its target; what it has
// then it gets from SyncGroup.
func (g *Group) answerJoin(now int64, w waiter, out *step.Output) {
	m := w.member
	g.reconcile(now, m, w.owned, w.subscriptionChanged, out)
	g.timers.cancel(m, joinTimer)
	g.timers.set(m, syncTimer, now+int64(w.classic.rebalanceTimeoutMillis))
	response := kmsg.NewPtrJoinGroupResponse()
	protocolType := step.ConsumerProtocol
	response.MemberID, response.Generation = m.id, m.current.epoch
	response.ProtocolType, response.Protocol = &protocolType, &w.classic.protocol
	out.Answer(w.to, response)
}

// userData is what a classic member says to assignors; nil for others.
func userData(info *grouplog.Member) []byte {
	if info.Classic == nil || len(info.Classic.Protocols) == 0 {
		return nil
	}
	subscription, err := decodeSubscription(info.Classic.Protocols[0].Metadata)
	if err != nil {
		return nil
	}
	return subscription.UserData
}
