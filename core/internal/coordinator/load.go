package coordinator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/record"
)

// reloadDelay keeps a log that cannot be written to from being read again and
// again.
const reloadDelay = time.Second

// errNotReady: the partition is not led here yet, or has records that are not
// committed.
var errNotReady = errors.New("the partition is not ready")

// load begins to build the machine from the log. mu is held, and state is
// loading.
func (s *shard) load(delay time.Duration) {
	s.loads++
	load := s.loads
	s.work.begin(func() {
		if delay > 0 && clock.Wait(s.context, s.Clock, delay) != nil {
			return
		}
		s.loaded(load, s.read(load))
	})
}

// outcome is a machine and the partition that it was read from, or why there
// is none.
type outcome struct {
	machine   *group.Machine
	partition *partition.Partition
	records   int
	took      time.Duration
	err       error
}

// read builds a machine from all of the log. Nobody else appends to it, so when
// everything in it is visible it is complete.
func (s *shard) read(load int) (o outcome) {
	began := s.Clock.Now()
	o.machine = group.New(s.world())
	if o.partition, o.err = s.find(); o.err != nil {
		return o
	}
	end, err := o.partition.Scan(o.partition.LogStartOffset(), func(r record.Record) error {
		if err := s.context.Err(); err != nil {
			return err
		}
		return o.apply(s, r)
	})
	// What was visible when the scan ended counts: an append of an earlier
	// machine may become visible after it.
	if o.err = err; err == nil && end != o.partition.LogEndOffset() {
		o.err = errNotReady
	}
	o.took = s.Clock.Now().Sub(began)
	return o
}

func (o *outcome) apply(s *shard, r record.Record) error {
	decoded, err := grouplog.Decode(r.Key, r.Value)
	switch {
	case errors.Is(err, grouplog.ErrUnknownType):
		s.Log.Debug("passing over a record of another kind of group", "topic", Topic, "partition", s.number, "error", err)
		return nil
	case err != nil:
		return err
	}
	o.records++
	o.machine.Apply(decoded)
	return nil
}

// find is the partition, if it may be appended to.
func (s *shard) find() (*partition.Partition, error) {
	topic, ok := s.Partitions.TopicNamed(Topic)
	if !ok {
		return nil, errNotReady
	}
	p, _ := topic.Partition(int32(s.number))
	if p == nil || !p.Role().Writable {
		return nil, errNotReady
	}
	return p, nil
}

// loaded puts a machine in its place, if it is still wanted.
func (s *shard) loaded(load int, o outcome) {
	s.mu.Lock()
	defer s.unlock()
	if s.loads != load || s.state != loading {
		return
	}
	if o.err != nil {
		if !errors.Is(o.err, errNotReady) && !errors.Is(o.err, context.Canceled) {
			s.Log.Error("groups cannot be read, trying again", "topic", Topic, "partition", s.number, "error", o.err)
		}
		s.load(reloadDelay)
		return
	}
	s.state, s.machine, s.partition = serving, o.machine, o.partition
	s.carryOut(s.machine.Loaded(s.now()))
	if s.Observer != nil {
		s.Observer.Loaded(o.records, o.took)
	}
	if o.records > 0 {
		s.Log.Info(fmt.Sprintf("read %d records of groups", o.records), "topic", Topic, "partition", s.number, "took", o.took.Round(time.Millisecond))
	}
}
