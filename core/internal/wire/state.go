package wire

import (
	"errors"
	"sync/atomic"

	"odradek.dev/core/internal/controller"
	"odradek.dev/core/internal/coordinator"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/partitioner"
)

// state is how far the start has come: the admin server, which starts before
// the parts that take long, answers from it. Safe for concurrent use.
type state struct {
	// controller is nil before it has caught up.
	controller atomic.Pointer[controller.Controller]
	// coordinator is nil before the groups are coordinated.
	coordinator atomic.Pointer[coordinator.Coordinator]
	// opened says that the partitions are open, serving that clients are served.
	opened, serving atomic.Bool
}

func newState() *state { return &state{} }

var (
	errNoController = errors.New("the controller has not caught up yet")
	errNotOpen      = errors.New("the partitions are not open")
	errNotServing   = errors.New("the listeners are not served")
)

// ready is nil when the broker takes clients, and says what is missing if not.
func (s *state) ready() error {
	c := s.controller.Load()
	switch {
	case c == nil:
		return errNoController
	case !s.opened.Load():
		return errNotOpen
	case !s.serving.Load():
		return errNotServing
	}
	return c.Ready()
}

// topic is what a partitioner may know of a topic.
func (s *state) topic(name string) (partitioner.Topic, bool) {
	c := s.controller.Load()
	if c == nil {
		return partitioner.Topic{}, false
	}
	image := c.Image()
	topic, ok := image.Topic(name)
	if !ok {
		return partitioner.Topic{}, false
	}
	return viewOf(topic, image.Index()), true
}

// explain is who decided what the members of a group have.
func (s *state) explain(id string) (step.Explanation, bool) {
	if c := s.coordinator.Load(); c != nil {
		return c.Explain(id)
	}
	return step.Explanation{}, false
}

func viewOf(topic *metadata.Topic, epoch int64) partitioner.Topic {
	view := partitioner.Topic{Name: topic.Name, Partitions: int32(len(topic.Partitions)), Epoch: epoch}
	for i, p := range topic.Partitions {
		if p.Record.Leader >= 0 {
			view.Available = append(view.Available, int32(i))
		}
	}
	return view
}
