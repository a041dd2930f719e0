package consumer

import "odradek.dev/core/internal/group/grouplog"

// counts is how many members have something in common. Nothing stands in them
// with a zero.
type counts struct {
	topics, regexes, assignors map[string]int
	classic                    int
	// kept is what those that use the classic protocol take in a classic group.
	kept int
	// protocols are those of the members that use the classic protocol.
	protocols map[string]int
}

func newCounts() counts {
	return counts{topics: map[string]int{}, regexes: map[string]int{}, assignors: map[string]int{}, protocols: map[string]int{}}
}

func (c *counts) count(m *member, by int) {
	for _, topic := range m.topics {
		add(c.topics, topic, by)
	}
	if regex := m.regex(); regex != "" {
		add(c.regexes, regex, by)
	}
	if m.info.ServerAssignor != nil {
		add(c.assignors, *m.info.ServerAssignor, by)
	}
	if !m.classic() {
		return
	}
	c.classic += by
	as := m.asClassic()
	c.kept += by * as.Size()
	for _, name := range protocolNames(m.info.Classic.Protocols) {
		add(c.protocols, name, by)
	}
}

func add(counted map[string]int, what string, by int) {
	if counted[what] += by; counted[what] == 0 {
		delete(counted, what)
	}
}

// protocolNames has each name once.
func protocolNames(protocols []grouplog.ClassicProtocol) []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range protocols {
		if !seen[p.Name] {
			names, seen[p.Name] = append(names, p.Name), true
		}
	}
	return names
}
