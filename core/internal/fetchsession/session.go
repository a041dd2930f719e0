package fetchsession

import (
	"iter"
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Session is what one reader asks for. P is what the caller remembers with each
// partition.
type Session[P any] struct {
	standing
	// byID: its requests name topics by their ids.
	byID bool

	mu sync.Mutex
	// epoch is that of the next fetch.
	epoch      int32
	partitions map[Key]*Partition[P]
	// ends is no partition: it stands before the first and behind the last. One
	// that had records goes to the back, so that none starves behind others
	// when an answer is full.
	ends Partition[P]
}

func newSession[P any](byID bool, size int) *Session[P] {
	s := &Session[P]{byID: byID, epoch: next(InitialEpoch), partitions: make(map[Key]*Partition[P], size)}
	s.ends.before, s.ends.after = &s.ends, &s.ends
	return s
}

// Want adds a partition at the end, or changes what is asked of it.
func (s *Session[P]) Want(k Key, w Wanted) *Partition[P] {
	if p := s.partitions[k]; p != nil {
		p.Wanted = w
		return p
	}
	p := &Partition[P]{Key: k, Wanted: w, highWatermark: -1, logStartOffset: -1}
	s.partitions[k] = p
	s.append(p)
	return p
}

// Forget leaves a partition out from now on.
func (s *Session[P]) Forget(k Key) {
	if p := s.partitions[k]; p != nil {
		delete(s.partitions, k)
		p.unlink()
	}
}

// Len is the number of partitions.
func (s *Session[P]) Len() int { return len(s.partitions) }

// All is the partitions in the order in which they are to be read.
func (s *Session[P]) All() iter.Seq[*Partition[P]] {
	return func(yield func(*Partition[P]) bool) {
		for p := s.ends.after; p != &s.ends; p = p.after {
			if !yield(p) {
				return
			}
		}
	}
}

// Tell remembers what the reader is told of a partition. It reports false if
// the partition can be left out of the answer: it has no records and no error,
// and the reader knows its offsets.
func (s *Session[P]) Tell(p *Partition[P], r Result) bool {
	news := p.told(r)
	if r.Bytes > 0 {
		p.unlink()
		s.append(p)
	}
	return news
}

// Finish has tell say with [Session.Tell] what is answered to the fetch of the
// epoch. If another fetch has continued the session meanwhile, tell is not
// called: the session's partitions may be others, and the answer is the error.
func (s *Session[P]) Finish(epoch int32, tell func(*Session[P])) *kerr.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch != next(epoch) {
		return kerr.InvalidFetchSessionEpoch
	}
	tell(s)
	return nil
}

// advance begins the fetch of an epoch. It returns how many partitions the
// update left.
func (s *Session[P]) advance(epoch int32, byID bool, update func(*Session[P])) (int, *kerr.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.epoch != epoch:
		return 0, kerr.InvalidFetchSessionEpoch
	case s.byID != byID:
		return 0, kerr.FetchSessionTopicIDError
	}
	s.epoch = next(s.epoch)
	update(s)
	return s.Len(), nil
}

func (s *Session[P]) append(p *Partition[P]) {
	p.before, p.after = s.ends.before, &s.ends
	p.before.after, s.ends.before = p, p
}

func (p *Partition[P]) unlink() {
	p.before.after, p.after.before = p.after, p.before
	p.before, p.after = nil, nil
}
