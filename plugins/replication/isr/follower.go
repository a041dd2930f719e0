package isr

import (
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// follower is the state of a replica that follows.
type follower struct {
	// leaderHW came with the data that is being accepted.
	leaderHW int64
	// asked is the sequence of the last fetch.
	asked uint64
	// busy is that an Accept, a Truncate or a Restart is not answered yet.
	busy bool
	// wait is how long the next fetch waits for an answer: it doubles up to a
	// quarter of replica.lag.time.max.ms while there is none.
	wait time.Duration
	// timing is that the fetch timer runs.
	timing bool
}

func (m *Machine) follow() {
	m.follower.wait = m.config.fetchWaitMax()
	// What was under way for an earlier leader is answered all the same.
	if !m.follower.busy {
		m.fetch()
		return
	}
	m.startTimer(timerFetch, &m.follower.timing, m.follower.wait)
}

func (m *Machine) fetch() {
	m.sendSequenced(message{
		kind: messageFetch, offset: m.log.end, lastEpoch: m.log.lastEpoch(), safe: m.safe(), hw: m.hw,
	})
	m.follower.asked = m.sequence
	m.startTimer(timerFetch, &m.follower.timing, m.follower.wait)
}

func (m *Machine) sendProgress() {
	m.sendSequenced(message{kind: messageProgress, safe: m.safe()})
}

func (m *Machine) sendSequenced(msg message) {
	m.sequence++
	msg.session, msg.sequence = m.session, m.sequence
	m.send(m.record.Leader, msg)
}

// fetchAgain is the fetch timer.
func (m *Machine) fetchAgain() {
	m.follower.wait = max(m.config.fetchWaitMax(), min(2*m.follower.wait, m.config.lagTimeMax()/4))
	if m.follower.busy {
		m.startTimer(timerFetch, &m.follower.timing, m.follower.wait)
		return
	}
	m.fetch()
}

func (m *Machine) hearLeader(msg message, came replication.Range) error {
	if m.follower.busy {
		return nil
	}
	// Data fits the log or does not, but to cut the log on an answer that is
	// late would cut what came since.
	ours := msg.session == m.session
	latest := ours && msg.sequence == m.follower.asked
	switch {
	case msg.kind == messageData && ours:
		m.hearData(msg, came)
	case msg.kind == messageDiverging && latest:
		return m.diverge(msg.lastEpoch, msg.offset)
	case msg.kind == messageRestart && latest:
		m.restart(msg.offset)
	case msg.kind == messageAsk:
		m.follower.wait = m.config.fetchWaitMax()
		m.fetch()
	}
	return nil
}

// hearData accepts what continues the log. What does not is an answer to an
// older fetch: the one under way has its own, and no high watermark is taken
// from one that is not used, since it is not known of this log.
func (m *Machine) hearData(msg message, came replication.Range) {
	m.follower.wait = m.config.fetchWaitMax()
	switch {
	case came.Base == came.End:
		if msg.hw > m.hw && msg.hw <= m.log.end {
			m.raise(msg.hw)
			m.fetch()
		}
	case came.Base == m.log.end && !m.isSealed():
		m.follower.busy = true
		m.follower.leaderHW = msg.hw
		m.emit(replication.Effect{Kind: replication.EffectAccept, Epoch: came.Epoch})
	}
}

// accepted goes on after an Accept.
func (m *Machine) accepted() {
	m.follower.busy = false
	m.raise(min(m.follower.leaderHW, m.log.end))
	if m.role == roleFollower {
		m.fetch()
	}
}

// diverge cuts the log back to where it may agree with the leader's, which
// has epoch up to end and nothing of the epochs between it and ours.
func (m *Machine) diverge(epoch int32, end int64) error {
	target := end
	if epoch >= 0 {
		_, ours := m.log.endOfEpoch(epoch)
		target = min(end, ours)
	}
	if target >= m.log.end {
		return nil
	}
	if target < m.hw {
		return module.Fatalf("leader %d of epoch %d does not have what was committed: it asks to truncate to %d, below the high watermark %d",
			m.record.Leader, m.record.LeaderEpoch, target, m.hw)
	}
	m.follower.busy = true
	m.emit(replication.Effect{Kind: replication.EffectTruncate, Offset: target})
	return nil
}

func (m *Machine) truncated(end int64) error {
	if end > m.log.end || end < m.hw {
		return module.Fatalf("the log was truncated to %d, with its high watermark at %d and its end at %d", end, m.hw, m.log.end)
	}
	m.log.truncate(end)
	m.staleSync = m.syncing
	m.proceed()
	return nil
}

// restart throws away a log that ends below the leader's.
func (m *Machine) restart(start int64) {
	if start >= m.log.end {
		m.follower.busy = true
		m.emit(replication.Effect{Kind: replication.EffectRestart, Offset: start})
	}
}

func (m *Machine) installed(e *replication.Event) error {
	if e.Base < 0 || e.End < e.Base {
		return module.Fatalf("a log was installed from %d to %d", e.Base, e.End)
	}
	m.log.restart(e.Base)
	m.staleSync = m.syncing
	if e.End > e.Base {
		if err := m.log.extend(e.Base, e.End, e.Epoch); err != nil {
			return err
		}
	}
	m.raise(e.Base)
	m.proceed()
	return nil
}

// proceed fetches after the log was cut.
func (m *Machine) proceed() {
	m.follower.busy = false
	if m.role == roleFollower {
		m.fetch()
	}
}
