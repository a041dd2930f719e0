package isr

import (
	"slices"
	"time"
)

// peer is what a leader knows of one follower in its epoch.
type peer struct {
	id int32
	// fetched is that it has fetched in this epoch, without diverging.
	fetched bool
	// end is its log end, of which the leader knows that it agrees; safe is
	// how much of it the follower counts as written. -1 before fetched.
	end, safe int64
	// parked is a fetch that waits for something new.
	parked bool
	// hw is the high watermark that it has been told.
	hw int64
	// caughtUp is when it last had all that the leader had at that time.
	caughtUp time.Duration
	// lastFetch is when it last fetched, lastEnd the leader's end then.
	lastFetch time.Duration
	lastEnd   int64

	// session and sequence are of the last message, asked is the sequence of
	// the last fetch.
	session, sequence, asked uint64
}

// newPeer gives a follower that is in sync the whole time to make itself heard.
func newPeer(id int32, now time.Duration) peer {
	return peer{id: id, end: -1, safe: -1, hw: -1, caughtUp: now}
}

// late reports whether a message is older than one already heard. One of an
// earlier session is taken for a new session: what it says of the log was true,
// and the next message sets it right.
func (p *peer) late(msg message) bool {
	if msg.session != p.session {
		p.session, p.sequence = msg.session, 0
	}
	if msg.sequence <= p.sequence {
		return true
	}
	p.sequence = msg.sequence
	if msg.kind == messageFetch {
		p.asked = msg.sequence
	}
	return false
}

// progress notes a fetch. A follower that is always one fetch behind a busy
// leader is caught up as of the fetch before.
func (p *peer) progress(now time.Duration, msg message, leaderEnd int64) {
	p.end, p.safe, p.hw = msg.offset, min(msg.safe, msg.offset), msg.hw
	switch {
	case p.safe >= leaderEnd:
		p.caughtUp = now
	case p.fetched && p.safe >= p.lastEnd:
		p.caughtUp = max(p.caughtUp, p.lastFetch)
	}
	p.fetched, p.lastFetch, p.lastEnd = true, now, leaderEnd
}

// leader is the state of a replica that leads.
type leader struct {
	// epochStart is where the log ended when the epoch began.
	epochStart int64
	// peers is in the order of the record's replicas.
	peers []peer
	// timing is that the lag timer runs.
	timing bool
	// resigned is that a Resign was given in this epoch.
	resigned bool
}

// keepPeers makes peers what the record says, with what is known of those that
// stay.
func (l *leader) keepPeers(m *Machine) {
	old := l.peers
	l.peers = nil
	for _, id := range m.record.Replicas {
		if id == m.self {
			continue
		}
		if i := slices.IndexFunc(old, func(p peer) bool { return p.id == id }); i >= 0 {
			l.peers = append(l.peers, old[i])
			continue
		}
		l.peers = append(l.peers, newPeer(id, m.now))
	}
}

func (l *leader) peer(id int32) *peer {
	for i := range l.peers {
		if l.peers[i].id == id {
			return &l.peers[i]
		}
	}
	return nil
}
