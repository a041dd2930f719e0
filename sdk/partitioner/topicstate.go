package partitioner

import "sync"

// maxTopics bounds what a TopicState remembers: topics come and go for as long
// as a host lives, and nobody tells a partitioner that one was deleted.
const maxTopics = 100_000

// TopicState is what a partitioner remembers of each topic between batches, by
// the topic's name. Safe for concurrent use. Once it holds 100,000 topics it
// forgets them all and starts again from the zero T, so T must be something
// that can be lost: a counter, a current partition.
type TopicState[T any] struct {
	mu     sync.Mutex
	topics map[string]*guarded[T]
}

type guarded[T any] struct {
	mu    sync.Mutex
	value T
}

// Update calls f with the state of the topic and with nobody else in it.
func (s *TopicState[T]) Update(topic string, f func(*T)) {
	state := s.of(topic)
	state.mu.Lock()
	defer state.mu.Unlock()
	f(&state.value)
}

func (s *TopicState[T]) of(topic string) *guarded[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state, ok := s.topics[topic]; ok {
		return state
	}
	if s.topics == nil || len(s.topics) >= maxTopics {
		s.topics = make(map[string]*guarded[T])
	}
	state := new(guarded[T])
	s.topics[topic] = state
	return state
}
