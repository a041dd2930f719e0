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

// reloadDelay keeps a log that cannot be written to from being tried again and
// again; one that cannot be read is given more and more time.
const (
	reloadDelay        = time.Second
	longestReloadDelay = 32 * time.Second
)

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
	passed    passedOver
	// unclaimed is what is damaged and was not given up.
	unclaimed []damage
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
	end, err := o.partition.Scan(o.partition.LogStartOffset(), func(offset int64, r record.Record) error {
		o.apply(offset, r)
		return s.context.Err()
	}, func(d partition.Damage) error {
		o.damaged(s.number, d, s.image.Load().broker.OffsetsTopic.Lost)
		return s.context.Err()
	})
	// What was visible when the scan ended counts: an append of an earlier
	// machine may become visible after it.
	switch o.err = err; {
	case err != nil:
	case len(o.unclaimed) > 0:
		o.err = &damagedError{o.unclaimed}
	case end != o.partition.LogEndOffset():
		o.err = errNotReady
	}
	o.took = s.Clock.Now().Sub(began)
	return o
}

func (o *outcome) apply(offset int64, r record.Record) {
	decoded, err := grouplog.Decode(r.Key, r.Value)
	if err != nil {
		o.passed.add(offset, err)
		return
	}
	o.records++
	o.machine.Apply(decoded)
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
		s.load(s.failed(o.err))
		return
	}
	s.failures, s.ahead = 0, s.timepiece.ahead(s.Clock.Now())
	if s.appendsFail {
		// A log that takes long to read is not read most of the time.
		s.writesAt = s.Clock.Now().Add(max(reloadDelay, 2*o.took))
	}
	s.state, s.machine, s.partition = serving, o.machine, o.partition
	s.carryOut(s.machine.Loaded(s.now()))
	s.report(o.passed)
	if s.Observer != nil {
		s.Observer.Loaded(o.records, o.took)
	}
	if o.records > 0 {
		s.Log.Info(fmt.Sprintf("read %d records of groups", o.records), "topic", Topic, "partition", s.number, "took", o.took.Round(time.Millisecond))
	}
}

// failed says what keeps a log from being read, and after what delay to try
// again. What a disk or another replica may still give back is not passed over:
// groups would go on from offsets that are older than what they committed. mu is
// held.
func (s *shard) failed(err error) (delay time.Duration) {
	if errors.Is(err, errNotReady) || errors.Is(err, context.Canceled) {
		return reloadDelay
	}
	delay = min(reloadDelay<<s.failures, longestReloadDelay)
	if delay < longestReloadDelay {
		s.failures++
	}
	log := s.Log.With("topic", Topic, "partition", s.number, "again-in", delay, "error", err)
	if d := (*damagedError)(nil); errors.As(err, &d) {
		log.Error("groups cannot be read, and are not coordinated until they can: restore the file from a copy, or add to offsets.topic.lost what is lost, "+
			"and groups go on from what is intact: older offsets, or none", "offsets.topic.lost", d.lost())
	} else {
		log.Error("groups cannot be read, and are not coordinated until they can: check the disk, or restore the partition from a copy")
	}
	return delay
}
