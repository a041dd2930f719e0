package coordinator

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/clock"
)

// shard is the machine of one partition of the topic, and what stands around
// it.
//
// Lock order: a shard's mutex, then that of its partition. Answers are given
// without either.
type shard struct {
	*Coordinator
	number int32

	mu    sync.Mutex
	state state
	// partition and machine are there while state is serving.
	partition *partition.Partition
	machine   *group.Machine
	// loads counts the machines that were begun; what an earlier one still had
	// under way is not for the present one.
	loads int
	// failures counts the reads of the log in a row that failed, up to the longest
	// delay.
	failures int
	// appendsFail is set from the first append that failed to the next that did not.
	// failedAt is when the last failed, and writesAt when one is tried again: until
	// then the machine is not asked for what it would have to write, and postponed is
	// what waits for that.
	appendsFail        bool
	failedAt, writesAt time.Time
	postponed          []func() step.Output
	// told is what was said last of records that were passed over.
	told passedOver
	// token is the last that was given out, and asked who waits for an answer
	// of the machine.
	token step.Token
	asked map[step.Token]asked
	log   pipeline
	// assigned has the latest answers of assignors, by group.
	assigned *simplelru.LRU[string, remembered]
	// timer is for timerAt, in milliseconds; nil if the machine waits for
	// nothing.
	timer   clock.Timer
	timerAt int64
	// quietUntil is until when nothing is due after the broker was away, in
	// milliseconds.
	quietUntil int64
	// ahead is what the timepiece said last.
	ahead time.Duration
	// leaderEpoch is that of the leadership under which the machine was begun.
	// Under another, somebody else may have written to the log in between.
	leaderEpoch int32
	// image is what the machine knows of the metadata. It is set under mu, so
	// that it does not change in a step; a load reads it without.
	image atomic.Pointer[view]
}

type state int8

const (
	// away: another broker leads the partition, or nobody.
	away state = iota
	// loading: the log is read.
	loading
	serving
	stopped
)

func newShard(c *Coordinator, number int32) *shard {
	s := &shard{Coordinator: c, number: number, asked: make(map[step.Token]asked)}
	// It fails for a size of 0 only.
	s.assigned, _ = simplelru.NewLRU[string, remembered](mostRemembered, nil)
	s.image.Store(c.newView(metadata.Empty()))
	return s
}

func (s *shard) now() int64 { return s.Clock.Now().UnixMilli() }

// unavailable is what a client is told while there is no machine, nil if there
// is one. mu is held.
func (s *shard) unavailable() *kerr.Error {
	switch s.state {
	case serving:
		return nil
	case loading:
		return kerr.CoordinatorLoadInProgress
	}
	return kerr.NotCoordinator
}

// unavailableTo says also what keeps one request from being done. mu is held.
func (s *shard) unavailableTo(q kmsg.Request) *kerr.Error {
	if kind := s.unavailable(); kind != nil {
		return kind
	}
	if mayWrite(q) && !s.writable() {
		return kerr.CoordinatorNotAvailable
	}
	return nil
}

// refused answers a request that is not done. A heartbeat of the classic protocol
// is well as long as nobody knows better: to some clients any other answer ends
// their membership, and so Kafka gives none while it loads.
func refused(q kmsg.Request, kind *kerr.Error) kmsg.Response {
	if _, beats := q.(*kmsg.HeartbeatRequest); beats && kind == kerr.CoordinatorLoadInProgress {
		return kmsg.NewPtrHeartbeatResponse()
	}
	return group.Refuse(q, kind)
}

// writable is false for a while after an append failed. mu is held.
func (s *shard) writable() bool { return !s.appendsFail || !s.Clock.Now().Before(s.writesAt) }

// step gives the machine an input that is no request, when its records may be
// written. mu is held, and state is serving.
func (s *shard) step(input func() step.Output) {
	if !s.writable() {
		s.postponed = append(s.postponed, input)
		return
	}
	s.carryOut(input())
}

func (s *shard) handle(from step.Client, q kmsg.Request, done func(kmsg.Response)) {
	s.mu.Lock()
	now := s.Clock.Now()
	if s.state == serving {
		s.clockWasSet(now)
	}
	if kind := s.unavailableTo(q); kind != nil {
		s.unlock()
		done(refused(q, kind))
		return
	}
	s.token++
	s.asked[s.token] = asked{request: q, done: done}
	s.carryOut(s.machine.Handle(now.UnixMilli(), s.token, from, q))
	s.unlock()
}

func (s *shard) list(q *kmsg.ListGroupsRequest) ([]kmsg.ListGroupsResponseGroup, *kerr.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case serving:
		return s.machine.List(q), nil
	case loading:
		return nil, kerr.CoordinatorLoadInProgress
	}
	return nil, nil // its groups are another broker's to list
}

// carryOut does what a step of the machine came to. mu is held, and given up
// by unlock.
func (s *shard) carryOut(out step.Output) {
	for _, note := range out.Notes {
		s.Log.Info(oneLine(note))
	}
	s.observe(out)
	if !s.append(out) {
		return // the machine is no more
	}
	for _, q := range out.Resolves {
		s.resolve(q)
	}
	for _, a := range out.Assigns {
		s.assign(a)
	}
}

// unlock sets the timer, gives mu up, and gives the answers that are due.
func (s *shard) unlock() {
	s.schedule()
	due := s.log.takeDue()
	s.mu.Unlock()
	for _, a := range due {
		a.done(a.response)
	}
}

// leave ends the work of the machine; everybody who waits is told why. mu is
// held.
func (s *shard) leave(next state, why *kerr.Error) {
	s.state, s.machine, s.partition, s.postponed = next, nil, nil, nil
	s.loads++
	s.quietUntil = 0
	s.log.abandon(why)
	for token, a := range s.asked {
		delete(s.asked, token)
		s.log.due = append(s.log.due, a.refuse(why))
	}
}

func (s *shard) stop() {
	s.mu.Lock()
	s.leave(stopped, kerr.NotCoordinator)
	s.unlock()
}
