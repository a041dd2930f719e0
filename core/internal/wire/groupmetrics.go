package wire

import (
	"iter"

	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/metrics"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/clock"
)

// groupSource answers scrapes, from what has started by then.
type groupSource struct {
	state      *state
	partitions *partitions
}

// measureGroups registers what is measured of groups, and what measures the
// coordinators' work.
func measureGroups(r prometheus.Registerer, b *config.Broker, p *partitions, st *state, c clock.Clock) *metrics.Coordination {
	source := groupSource{st, p}
	metrics.RegisterGroups(r, source, c.Now, b.Metrics.GroupPartitions)
	if b.Metrics.KafkaExporter {
		metrics.RegisterExporter(r, source)
	}
	return metrics.NewCoordination(r)
}

func (s groupSource) Overviews() iter.Seq[group.Overview] {
	if c := s.state.coordinator.Load(); c != nil {
		return c.Overviews()
	}
	return func(func(group.Overview) bool) {}
}

func (s groupSource) Loading() (partitions, failed int) {
	if c := s.state.coordinator.Load(); c != nil {
		return c.Loading()
	}
	return 0, 0
}

func (s groupSource) Image() *metadata.Image {
	if c := s.state.controller.Load(); c != nil {
		return c.Image()
	}
	return nil
}

func (s groupSource) EndOffsets(topic string) []int64 {
	t, ok := s.topic(topic)
	if !ok {
		return nil
	}
	return t.EndOffsets()
}

func (s groupSource) Bounds(topic string, number int32) (start, end int64, ok bool) {
	p := s.partition(topic, number)
	if p == nil {
		return 0, 0, false
	}
	return p.LogStartOffset(), p.HighWatermark(), true
}

// BatchTime does not know the time of a batch that cannot be read: the log says
// why where somebody consumes it.
func (s groupSource) BatchTime(topic string, number int32, offset int64) (ms int64, ok bool) {
	p := s.partition(topic, number)
	if p == nil {
		return 0, false
	}
	ms, ok, err := p.BatchTime(offset)
	return ms, ok && err == nil
}

func (s groupSource) topic(name string) (*partition.Topic, bool) {
	if !s.state.opened.Load() {
		return nil, false
	}
	return s.partitions.registry.TopicNamed(name)
}

func (s groupSource) partition(topic string, number int32) *partition.Partition {
	t, ok := s.topic(topic)
	if !ok {
		return nil
	}
	p, _ := t.Partition(number)
	return p
}
