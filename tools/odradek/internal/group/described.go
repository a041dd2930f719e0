package group

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// described is a group as its coordinator describes it.
type described struct {
	Group string `json:"group"`
	// Type is classic or consumer, which is KIP-848's.
	Type         string `json:"type"`
	State        string `json:"state"`
	ProtocolType string `json:"protocol_type"`
	Coordinator  int32  `json:"coordinator"`
	// Assignor is that of the broker, or the protocol that the members of a
	// classic group agreed on.
	Assignor string `json:"assignor"`
	// Epoch is that of the group, AssignmentEpoch that of the last assignment;
	// -1 for classic groups, whose generation the protocol does not tell.
	Epoch           int32    `json:"epoch"`
	AssignmentEpoch int32    `json:"assignment_epoch"`
	Members         []member `json:"members"`
}

// member is one member of a group.
type member struct {
	Member   string `json:"member"`
	Instance string `json:"instance,omitempty"`
	Client   string `json:"client"`
	Host     string `json:"host"`
	Rack     string `json:"rack,omitempty"`
	// Epoch is -1 for classic members.
	Epoch      int32              `json:"epoch"`
	Topics     []string           `json:"topics"`
	Expression string             `json:"expression,omitempty"`
	Assigned   map[string][]int32 `json:"assigned"`
	// Target is what it is to have, if that is something else.
	Target map[string][]int32 `json:"target,omitempty"`
}

// describe asks for groups by name, or for all that there are.
func describe(ctx context.Context, admin *kadm.Client, names []string) ([]described, error) {
	listed, err := list(ctx, admin, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = listed.Groups()
	}
	var classic, consumer []string
	for _, name := range names {
		switch g, exists := listed[name]; {
		case !exists:
			return nil, fmt.Errorf("group %q does not exist; see `odradek group list`", name)
		case g.GroupType == "consumer":
			consumer = append(consumer, name)
		case g.GroupType == "classic" || g.GroupType == "":
			classic = append(classic, name)
		default:
			return nil, fmt.Errorf("group %q is a %s group; this command knows classic and consumer groups", name, g.GroupType)
		}
	}
	found, err := describeEach(ctx, admin, classic, consumer)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b described) int { return strings.Compare(a.Group, b.Group) })
	return found, nil
}

func describeEach(ctx context.Context, admin *kadm.Client, classic, consumer []string) ([]described, error) {
	found := []described{}
	if len(classic) > 0 {
		groups, err := admin.DescribeGroups(ctx, classic...)
		if err != nil {
			return nil, fmt.Errorf("describing groups: %w", err)
		}
		for name, g := range groups {
			if g.Err != nil {
				return nil, fmt.Errorf("group %q: %w", name, g.Err)
			}
			found = append(found, ofClassic(&g))
		}
	}
	if len(consumer) > 0 {
		groups, err := admin.DescribeConsumerGroups(ctx, consumer...)
		if err != nil {
			return nil, fmt.Errorf("describing groups: %w", err)
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			g := groups[name]
			if errors.Is(g.Err, kerr.UnsupportedVersion) {
				return nil, fmt.Errorf("group %q is a consumer group, and its broker %d does not coordinate such any more: "+
					"have consumer in its group.coordinator.rebalance.protocols, and the feature group.version at level 1", name, g.Coordinator.NodeID)
			}
			if g.Err != nil {
				return nil, fmt.Errorf("group %q: %w", name, g.Err)
			}
			found = append(found, ofConsumer(&g))
		}
	}
	return found, nil
}

func ofClassic(g *kadm.DescribedGroup) described {
	d := described{
		Group: g.Group, Type: "classic", State: g.State, ProtocolType: g.ProtocolType, Coordinator: g.Coordinator.NodeID,
		Assignor: g.Protocol, Epoch: -1, AssignmentEpoch: -1, Members: []member{},
	}
	for _, m := range g.Members {
		one := member{
			Member: m.MemberID, Instance: value(m.InstanceID), Client: m.ClientID, Host: strings.TrimPrefix(m.ClientHost, "/"),
			Epoch: -1, Topics: []string{}, Assigned: map[string][]int32{},
		}
		if joined, ok := m.Join.AsConsumer(); ok {
			one.Topics = slices.Sorted(slices.Values(joined.Topics))
			one.Rack = value(joined.Rack)
		}
		if assigned, ok := m.Assigned.AsConsumer(); ok {
			for _, t := range assigned.Topics {
				one.Assigned[t.Topic] = slices.Sorted(slices.Values(t.Partitions))
			}
		}
		d.Members = append(d.Members, one)
	}
	return d
}

func ofConsumer(g *kadm.DescribedConsumerGroup) described {
	d := described{
		Group: g.Group, Type: "consumer", State: g.State, ProtocolType: "consumer", Coordinator: g.Coordinator.NodeID,
		Assignor: g.AssignorName, Epoch: g.Epoch, AssignmentEpoch: g.AssignmentEpoch, Members: []member{},
	}
	for _, m := range g.Members {
		one := member{
			Member: m.MemberID, Instance: value(m.InstanceID), Client: m.ClientID, Host: strings.TrimPrefix(m.ClientHost, "/"),
			Rack: value(m.RackID), Epoch: m.MemberEpoch, Topics: append([]string{}, m.SubscribedTopics...),
			Expression: value(m.SubscribedTopicRegex), Assigned: listed(m.Assignment),
		}
		if target := listed(m.TargetAssignment); !maps.EqualFunc(one.Assigned, target, slices.Equal[[]int32]) {
			one.Target = target
		}
		d.Members = append(d.Members, one)
	}
	return d
}

// listed has the partitions of each topic ascending.
func listed(set kadm.TopicsSet) map[string][]int32 {
	partitions := map[string][]int32{}
	for topic, numbers := range set {
		for number := range numbers {
			partitions[topic] = append(partitions[topic], number)
		}
		slices.Sort(partitions[topic])
	}
	return partitions
}

// running words why a group must not be changed while it has members.
func (d *described) running() error {
	return fmt.Errorf("group %q has %d members and is %s; stop its consumers first: a member's next commit would undo what is changed under it",
		d.Group, len(d.Members), d.State)
}

// live reports whether somebody may commit for the group.
func (d *described) live() bool { return len(d.Members) > 0 || d.State != "Empty" && d.State != "Dead" }

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
