package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

const (
	// committers are members of a group each, with so many commits under way.
	committers, underWay = 16, 8
	// commitsFor is how long they are counted.
	commitsFor = 4 * time.Second
)

// commits is how many requests are answered in a second, and what CPU time of
// the broker each takes, in microseconds.
func (b *bench) commits(ctx context.Context, partitions int) ([]float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var answered atomic.Int64
	var running sync.WaitGroup
	failures := make([]error, committers)
	for i := range committers {
		m := &member{plan: b.plan(recordsTopic, recordsPartitions, untimed), census: newCensus()}
		running.Go(func() {
			if err := m.commit(ctx, partitions, &answered); err != nil && ctx.Err() == nil {
				failures[i] = err
				cancel()
			}
		})
	}
	rate, cpu, err := b.countCommits(ctx, &answered)
	cancel()
	running.Wait()
	return []float64{rate, cpu}, errors.Join(append(failures, err)...)
}

// countCommits counts once the rate of two seconds in sequence is the same.
func (b *bench) countCommits(ctx context.Context, answered *atomic.Int64) (rate, cpu float64, err error) {
	err = steady(ctx, commitWarmUp, func(ctx context.Context) (float64, error) {
		before := answered.Load()
		err := wait(ctx, time.Second)
		return float64(answered.Load() - before), err
	})
	if err != nil {
		return 0, 0, err
	}
	stop := b.driver.watch()
	before, began := answered.Load(), time.Now()
	used, err := b.cpuOver(ctx, commitsFor)
	count := float64(answered.Load() - before)
	stop()
	return count / time.Since(began).Seconds(), float64(used.Microseconds()) / count, err
}

// commit joins a group, and commits one offset after the other.
func (m *member) commit(ctx context.Context, partitions int, answered *atomic.Int64) error {
	stay, err := dial(ctx, m.addr)
	if err != nil {
		return err
	}
	defer stay.net.Close()
	m.connection = stay
	if err := m.enter(); err != nil {
		return err
	}
	through, err := dial(ctx, m.addr)
	if err != nil {
		return err
	}
	defer through.net.Close()
	stopped := make(chan error, 1)
	go func() { stopped <- m.stay(ctx) }()
	return errors.Join(newCommitStream(through, m.commitRequest(partitions)).run(answered), m.stopped(stopped))
}

// stopped is why the member did not stay, if it did not.
func (m *member) stopped(stopped <-chan error) error {
	select {
	case err := <-stopped:
		return err
	default:
		return nil
	}
}

// enter returns when the member is one of its group, the only one.
func (m *member) enter() error {
	if m.protocol == classicProtocol {
		return m.joinClassic()
	}
	m.id = fmt.Sprintf("%s-member", m.group)
	for has := []int32(nil); len(has) < m.partitions; {
		response, err := m.heartbeatConsumer(has, m.epoch == 0 || len(has) > 0)
		if err != nil {
			return err
		}
		if err := kerr.ErrorForCode(response.ErrorCode); err != nil && !kerr.IsRetriable(err) {
			return fmt.Errorf("joining: %w", err)
		}
		m.epoch = response.MemberEpoch
		has, _ = assignedBy(response, has)
	}
	return nil
}

// stay keeps the session of a member of KIP-848; that of the classic protocol
// is kept by its commits.
func (m *member) stay(ctx context.Context) error {
	for wait(ctx, m.pace.resting) == nil {
		if m.protocol == classicProtocol {
			continue
		}
		response, err := m.heartbeatConsumer(nil, false)
		if err != nil {
			return err
		}
		if err := kerr.ErrorForCode(response.ErrorCode); err != nil {
			return fmt.Errorf("heartbeat: %w", err)
		}
	}
	return nil
}
