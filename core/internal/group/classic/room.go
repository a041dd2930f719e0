package classic

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// hasRoom holds the group to group.max.size. While a rebalance is prepared
// members do not count before they have joined, so that a group that is too
// large shrinks. Pending ids do not count, as in Kafka: hasRoomFor bounds them.
func (g *Group) hasRoom(memberID string) bool {
	room := int(g.world.Settings(g.id).MaxSize)
	m := g.members.byID[memberID]
	switch g.state {
	case PreparingRebalance:
		return m != nil && m.join.is || g.members.joining < room
	case CompletingRebalance, Stable:
		return m != nil || g.Size() < room
	default:
		return true
	}
}

// RandomPart is the most that a member id has behind the name of its client.
const RandomPart = 64

// MostKept is for what a group keeps of its members and pending ids, in bytes:
// nothing else bounds it, and the members are one record.
const MostKept = 16 << 20

// perID is what a member or a pending id takes beside the bytes that its client
// sent: places in maps and queues.
const perID = 256

// hasRoomFor holds the group to MostKept.
func (g *Group) hasRoomFor(j joining) bool {
	more, err := g.growth(j)
	// Who is not the one that it says it is, is refused whatever room there is.
	return err != nil || g.members.kept+g.pending.kept+more <= MostKept
}

// growth is by how many bytes the group would keep more. A client that is to be
// given an id needs the room that it takes as a member.
func (g *Group) growth(j joining) (int, *kerr.Error) {
	id, instanceID := j.req.MemberID, j.req.InstanceID
	switch {
	case g.pending.has(id):
		return j.size() - pendingSize(id), nil
	case id != "":
		m, err := g.member(id, instanceID)
		if err != nil {
			return 0, err
		}
		return SizeOf(j.req.Protocols) - SizeOf(m.protocols), nil
	case instanceID != nil && g.members.byInstance[*instanceID] != nil:
		return j.size() - g.members.byInstance[*instanceID].size(), nil
	}
	return j.size(), nil
}

// size is the most that the member takes that this makes.
func (j joining) size() int {
	id := len(j.req.MemberID)
	if id == 0 {
		// The new id begins with one of them.
		id = max(len(text(j.req.InstanceID)), len(j.client.ID)) + RandomPart
	}
	return sizeOfMember(id, j.req.InstanceID, j.client, j.req.Protocols)
}

// Size is what the member takes of MostKept, in bytes.
func (m *Member) Size() int { return sizeOfMember(len(m.ID), m.InstanceID, m.Client, m.Protocols) }

func (m *member) size() int { return sizeOfMember(len(m.id), m.instanceID, m.client, m.protocols) }

func sizeOfMember(id int, instanceID *string, c step.Client, protocols []kmsg.JoinGroupRequestProtocol) int {
	return perID + id + len(text(instanceID)) + len(c.ID) + len(c.Host) + SizeOf(protocols)
}

func pendingSize(id string) int { return perID + len(id) }

// SizeOf is how many bytes these protocols have.
func SizeOf(protocols []kmsg.JoinGroupRequestProtocol) (size int) {
	for _, p := range protocols {
		size += len(p.Name) + len(p.Metadata)
	}
	return size
}

// turnAway tells a member that there is no room. It is not waited for.
func (g *Group) turnAway(j joining, out *step.Output) {
	j.refuse("", kerr.GroupMaxSizeReached, out)
	if m := g.members.byID[j.req.MemberID]; m != nil {
		g.remove(m, out)
		g.completeIfJoined(j.now, out)
	} else if g.forgetPending(j.req.MemberID) {
		g.completeIfJoined(j.now, out)
	}
}
