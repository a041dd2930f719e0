package coordinator

import (
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
)

// append writes the records of a step and queues its answers behind them. It
// returns false if the log takes none, and the machine is no more. mu is held.
func (s *shard) append(out step.Output) bool {
	if len(out.Records) == 0 && s.log.idle() {
		s.log.due = s.answers(s.log.due, out)
		return true
	}
	w := &written{answers: s.answers(nil, out), shard: s, load: s.loads}
	s.log.add(w)
	room := s.batches.get()
	defer s.batches.put(room)
	for batch := range room.batches(out.Records, s.now()) {
		w.open++
		outcome, decided := s.partition.Append(batch, -1, w, 0)
		switch {
		case !decided:
		case outcome.Refusal != nil:
			s.refuseRecords(w, outcome.Refusal)
			s.appendFailed(outcome.Refusal)
			return false
		default:
			w.open--
			s.appendsGoOn()
		}
	}
	s.log.advance()
	return true
}

// refuseRecords answers those whose records the log does not take as they are,
// for they must not ask for the same again. mu is held.
func (s *shard) refuseRecords(w *written, r *refusal.Refusal) {
	if !tooLarge(r) {
		return
	}
	for _, a := range w.answers {
		kind := kerr.UnknownServerError
		if _, commits := a.request.(*kmsg.OffsetCommitRequest); commits {
			kind = kerr.InvalidCommitOffsetSize
		}
		s.log.due = append(s.log.due, a.refuse(kind))
	}
	w.answers = nil
}

// answers finds out whose the responses are, and adds them. mu is held.
func (s *shard) answers(to []answer, out step.Output) []answer {
	to = slices.Grow(to, len(out.Answers))
	for _, a := range out.Answers {
		if asked, known := s.asked[a.To]; known {
			delete(s.asked, a.To)
			to = append(to, answer{asked, a.Response})
		}
	}
	return to
}

// Appended implements [partition.Appender]. It is called under the mutex of the
// partition, which is why it only passes the word on.
func (w *written) Appended(_ int, outcome partition.Appended) {
	w.shard.work.begin(func() { w.shard.committed(w, outcome) })
}

func (s *shard) committed(w *written, outcome partition.Appended) {
	s.mu.Lock()
	switch {
	case s.loads != w.load:
	case outcome.Refusal != nil:
		s.appendFailed(outcome.Refusal)
	default:
		s.appendsGoOn()
		s.log.committed(w)
	}
	s.unlock()
}

// appendFailed starts over from the log: at once, so that groups can be read
// where they cannot be written, unless it did so just now. mu is held.
func (s *shard) appendFailed(r *refusal.Refusal) {
	delay, now := time.Duration(0), s.Clock.Now()
	if now.Sub(s.failedAt) < reloadDelay {
		delay = reloadDelay
	}
	s.failedAt = now
	log := s.Log.With("topic", Topic, "partition", s.number, "error", r)
	switch {
	case tooLarge(r):
		log.Warn("a group's records are more than the log takes at a time, its coordinator starts over from the log")
	case !s.appendsFail:
		log.Warn("a group's records could not be written, its coordinator starts over from the log; others may fail until it is said that they go on")
		fallthrough
	default:
		s.appendsFail, s.writesAt = true, now.Add(reloadDelay)
	}
	s.leave(loading, told(r.Kind))
	s.load(delay)
}

func tooLarge(r *refusal.Refusal) bool {
	return r.Kind == kerr.MessageTooLarge || r.Kind == kerr.RecordListTooLarge
}

// appendsGoOn ends a time of failed appends. mu is held.
func (s *shard) appendsGoOn() {
	if s.appendsFail {
		s.Log.Info("records of groups can be written again", "topic", Topic, "partition", s.number)
	}
	s.appendsFail = false
}

// mayWrite says whether a request comes to nothing where nothing can be written.
// The others are answered while a disk is full.
func mayWrite(q kmsg.Request) bool {
	switch q.(type) {
	case *kmsg.OffsetFetchRequest, *kmsg.HeartbeatRequest, *kmsg.DescribeGroupsRequest, *kmsg.ConsumerGroupDescribeRequest:
		return false
	}
	return true
}

// told is how a client hears of an error of the log that is not its own.
func told(kind *kerr.Error) *kerr.Error {
	switch kind {
	case kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.NotEnoughReplicas, kerr.NotEnoughReplicasAfterAppend, kerr.RequestTimedOut:
		return kerr.CoordinatorNotAvailable
	}
	return kerr.NotCoordinator
}
