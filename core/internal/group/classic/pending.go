package classic

// pending are the ids that were given to clients that have not joined with
// them, each until its session ends.
type pending struct {
	byID map[string]*session
	// kept is the sum of pendingSize, in bytes.
	kept int
}

func newPending() pending { return pending{byID: map[string]*session{}} }

func (p *pending) has(id string) bool { return p.byID[id] != nil }

// add returns the session of the id, which does not wait yet.
func (p *pending) add(id string) *session {
	s := &session{Value: id}
	p.byID[id] = s
	p.kept += pendingSize(id)
	return s
}

// remove returns the session of the id, nil if the id is not pending.
func (p *pending) remove(id string) *session {
	s := p.byID[id]
	if s != nil {
		delete(p.byID, id)
		p.kept -= pendingSize(id)
	}
	return s
}

// forgetPending reports whether the id was one of those that are to come.
func (g *Group) forgetPending(id string) bool {
	s := g.pending.remove(id)
	if s == nil {
		return false
	}
	g.sessions.Remove(s)
	return true
}
