package consumer

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// Check refuses a heartbeat that is wrong in itself, whatever the group is.
func Check(r *kmsg.ConsumerGroupHeartbeatRequest, settings *step.Settings) *refusal.Refusal {
	if refused := checkNames(r); refused != nil {
		return refused
	}
	switch {
	case r.MemberEpoch == 0:
		if refused := checkJoin(r); refused != nil {
			return refused
		}
	case r.MemberEpoch == leftForNow && r.InstanceID == nil:
		return refusal.New(kerr.InvalidRequest, "member epoch -2 is for static members: set the instance id")
	case r.MemberEpoch < leftForNow:
		return refusal.New(kerr.InvalidRequest, "member epoch %d is not one: it is 0 to join, -1 to leave, -2 for a static member that will be back, or the member's own", r.MemberEpoch)
	}
	if r.ServerAssignor != nil && !slices.Contains(settings.ConsumerAssignors, *r.ServerAssignor) {
		return refusal.New(kerr.UnsupportedAssignor, "server assignor %q is not among those of this broker: %s",
			*r.ServerAssignor, strings.Join(settings.ConsumerAssignors, ", "))
	}
	return nil
}

// CheckRegex refuses a regular expression. It comes after all else that is wrong,
// and for a member that leaves not at all.
func CheckRegex(r *kmsg.ConsumerGroupHeartbeatRequest) *refusal.Refusal {
	if r.SubscribedTopicRegex == nil {
		return nil
	}
	_, refused := compile(*r.SubscribedTopicRegex)
	return refused
}

func checkNames(r *kmsg.ConsumerGroupHeartbeatRequest) *refusal.Refusal {
	// From version 1 on the client makes the id, for the whole of its life.
	if r.MemberID == "" && (r.Version >= 1 || r.MemberEpoch > 0 || r.MemberEpoch == -1) {
		return refusal.New(kerr.InvalidRequest, "the member id must not be empty")
	}
	if r.Group == "" {
		return refusal.New(kerr.InvalidRequest, "the group id must not be empty")
	}
	if r.InstanceID != nil && *r.InstanceID == "" {
		return refusal.New(kerr.InvalidRequest, "the instance id must not be empty; leave it null for a dynamic member")
	}
	if r.RackID != nil && *r.RackID == "" {
		return refusal.New(kerr.InvalidRequest, "the rack id must not be empty; leave it null if there is none")
	}
	return nil
}

func checkJoin(r *kmsg.ConsumerGroupHeartbeatRequest) *refusal.Refusal {
	switch {
	case r.RebalanceTimeoutMillis == -1:
		return refusal.New(kerr.InvalidRequest, "a member that joins must say its rebalance timeout")
	case r.Topics == nil || len(r.Topics) > 0:
		return refusal.New(kerr.InvalidRequest, "a member that joins must say that it owns no partitions, by an empty list")
	case r.SubscribedTopicNames == nil && r.SubscribedTopicRegex == nil:
		return refusal.New(kerr.InvalidRequest, "a member that joins must say to what it subscribes, by names or by a regular expression")
	}
	return nil
}

// checkSize refuses somebody new in a group that is full.
func (g *Group) checkSize(id string, instance *string) *refusal.Refusal {
	if instance != nil && g.statics[*instance] != nil || g.members[id] != nil {
		return nil
	}
	if most := int(g.settings().ConsumerMaxSize); len(g.members) >= most {
		return refusal.New(kerr.GroupMaxSizeReached, "group %q has %d members, the most that group.consumer.max.size allows", g.id, most)
	}
	return nil
}

// checkEpoch refuses a member that is not where the group knows it. One that is
// an epoch behind did not get the last answer: it may go on from there, so long
// as it owns nothing but what it was given.
func checkEpoch(m *member, epoch int32, o owned) *refusal.Refusal {
	behind := epoch < m.current.epoch && epoch == m.current.previous && o.within(m.current.assigned)
	if epoch == 0 || epoch == m.current.epoch || behind {
		return nil
	}
	return refusal.New(kerr.FencedMemberEpoch, "member %q is at epoch %d and not at %d: it must give up its partitions and join again", m.id, m.current.epoch, epoch)
}

// checkState refuses a member in a state that only a later release knows,
// until it has nothing.
func checkState(m *member, o owned) *refusal.Refusal {
	if m.current.state <= unreleased || o.told && len(o.places) == 0 {
		return nil
	}
	return refusal.New(kerr.FencedMemberEpoch, "member %q is in state %d, which this broker does not know: it must give up its partitions and join again", m.id, m.current.state)
}

func (g *Group) unknownMember(id string) *refusal.Refusal {
	return refusal.New(kerr.UnknownMemberID, "member %q is not in group %q: it must join", id, g.id)
}

// staticMember finds who has an instance id, if it is the one who asks.
func (g *Group) staticMember(instance, id string) (*member, *refusal.Refusal) {
	m := g.statics[instance]
	switch {
	case m == nil:
		return nil, refusal.New(kerr.UnknownMemberID, "instance %q is not in group %q: it must join", instance, g.id)
	case m.id != id:
		return nil, refusal.New(kerr.FencedInstanceID, "instance %q of group %q is member %q now, and not %q", instance, g.id, m.id, id)
	}
	return m, nil
}
