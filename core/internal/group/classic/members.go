package classic

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// members are the members of a group, and counts over them.
type members struct {
	byID       map[string]*member
	byInstance map[string]*member
	// inOrder is the order in which they joined; it makes all that a group does
	// repeatable.
	inOrder []*member
	// supporters counts for each protocol the members that support it.
	supporters map[string]int
	// joining are those whose join waits, and unsynced those that are.
	joining, unsynced int
	// kept is the sum of their sizes, in bytes.
	kept int
}

func newMembers(size int) members {
	return members{
		byID: make(map[string]*member, size), byInstance: map[string]*member{},
		inOrder: make([]*member, 0, size), supporters: map[string]int{},
	}
}

func (s *members) add(m *member) {
	s.byID[m.id] = m
	if m.isStatic() {
		s.byInstance[*m.instanceID] = m
	}
	s.inOrder = append(s.inOrder, m)
	s.count(m, 1)
	s.joining += one(m.join.is)
	s.unsynced += one(m.unsynced)
}

func (s *members) remove(m *member) {
	delete(s.byID, m.id)
	if m.isStatic() {
		delete(s.byInstance, *m.instanceID)
	}
	at := slices.Index(s.inOrder, m)
	s.inOrder = slices.Delete(s.inOrder, at, at+1)
	s.count(m, -1)
	s.joining -= one(m.join.is)
	s.unsynced -= one(m.unsynced)
}

// rename gives a member another id and another process.
func (s *members) rename(m *member, id string, client step.Client) {
	s.count(m, -1)
	delete(s.byID, m.id)
	m.id, m.session.Value, m.client = id, id, client
	s.byID[id] = m
	s.count(m, 1)
}

// update takes from a request what a member says of itself now.
func (s *members) update(m *member, req *kmsg.JoinGroupRequest) {
	m.rebalanceTimeout, m.sessionTimeoutMillis = rebalanceTimeout(req), req.SessionTimeoutMillis
	if m.says(req.Protocols) {
		return
	}
	s.count(m, -1)
	m.protocols = copied(req.Protocols)
	s.count(m, 1)
}

func (s *members) setUnsynced(m *member, is bool) {
	s.unsynced += one(is) - one(m.unsynced)
	m.unsynced = is
}

// count adds a member to what is counted of sizes and protocols, or takes it away.
func (s *members) count(m *member, by int) {
	s.kept += by * m.size()
	for _, p := range m.protocols {
		if s.supporters[p.Name] += by; s.supporters[p.Name] == 0 {
			delete(s.supporters, p.Name)
		}
	}
}

// supportedByAll reports whether each member supports the protocol; if there
// is no member, all do.
func (s *members) supportedByAll(protocol string) bool {
	return s.supporters[protocol] == len(s.inOrder)
}

// choose selects a protocol by votes: of those that all support, each member
// votes for the one that it prefers. Of equals it is the one that was voted for
// first. It is empty if there is no member, or none that all support.
func (s *members) choose() string {
	votes := map[string]int{}
	var voted []string
	for _, m := range s.inOrder {
		protocol := m.vote(s.supportedByAll)
		if votes[protocol]++; votes[protocol] == 1 {
			voted = append(voted, protocol)
		}
	}
	var chosen string
	for _, protocol := range voted {
		if votes[protocol] > votes[chosen] {
			chosen = protocol
		}
	}
	return chosen
}

// rebalanceTimeout is the longest of the members'.
func (s *members) rebalanceTimeout() int64 {
	var longest int32
	for _, m := range s.inOrder {
		longest = max(longest, m.rebalanceTimeout)
	}
	return int64(longest)
}

// firstID is the id of the member that joined first, empty if there is none.
func (s *members) firstID() string {
	if len(s.inOrder) == 0 {
		return ""
	}
	return s.inOrder[0].id
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
