package classic

import (
	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Describe is the group as DescribeGroups shows it. Metadata and protocol are
// shown while the group is stable; between two generations there are none that
// hold for all.
func (g *Group) Describe() kmsg.DescribeGroupsResponseGroup {
	r := kmsg.NewDescribeGroupsResponseGroup()
	r.Group, r.State, r.ProtocolType = g.id, string(g.state), g.protocolType
	if g.state == Stable {
		r.Protocol = g.protocol
	}
	for _, m := range g.members.inOrder {
		described := kmsg.DescribeGroupsResponseGroupMember{
			MemberID: m.id, InstanceID: m.instanceID, ClientID: m.client.ID, ClientHost: m.client.Host,
			MemberAssignment: m.assignment,
		}
		if g.state == Stable {
			described.ProtocolMetadata, _ = m.metadata(g.protocol)
		}
		r.Members = append(r.Members, described)
	}
	return r
}

// SubscribedTopics is what the members subscribe to. It reports false if the
// group is not one of consumers, or what one of them says cannot be read.
func (g *Group) SubscribedTopics() (map[string]struct{}, bool) {
	if g.protocolType != step.ConsumerProtocol {
		return nil, false
	}
	topics := map[string]struct{}{}
	for _, m := range g.members.inOrder {
		metadata, ok := m.metadata(g.protocol)
		if !ok {
			// A rebalance is being prepared, and it comes with other protocols
			// than the last generation had.
			continue
		}
		if !readTopics(metadata, topics) {
			return nil, false
		}
	}
	return topics, true
}

// readTopics reads the topics of a subscription, which begins with an int16
// that is its version and an array of strings in all versions. What follows is
// not looked at: there are clients that leave out what their version should
// have.
func readTopics(metadata []byte, topics map[string]struct{}) bool {
	b := kbin.Reader{Src: metadata}
	version := b.Int16()
	for n := b.ArrayLen(); n > 0 && b.Ok(); n-- {
		topics[b.String()] = struct{}{}
	}
	return version >= 0 && b.Ok()
}
