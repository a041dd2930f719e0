package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/tools/benchgroups/internal/loop"
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
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var answered int64
	for range committers {
		c, err := b.newCommitter()
		if err != nil {
			return nil, err
		}
		defer c.end()
		c.start(partitions, &answered, fail)
	}
	rate, cpu, err := b.countCommits(ctx, &answered)
	return []float64{rate, cpu}, err
}

// countCommits counts once the rate of two seconds in sequence is the same.
func (b *bench) countCommits(ctx context.Context, answered *int64) (rate, cpu float64, err error) {
	err = steady(ctx, commitWarmUp, func(ctx context.Context) (float64, error) {
		before := *answered
		err := b.wait(ctx, time.Second)
		return float64(*answered - before), err
	})
	if err != nil {
		return 0, 0, err
	}
	stop := b.driver.watch()
	before, began := *answered, time.Now()
	used, err := b.cpuOver(ctx, commitsFor)
	count := float64(*answered - before)
	stop()
	return count / time.Since(began).Seconds(), float64(used.Microseconds()) / count, err
}

// committer is the only member of a group, which it joins to commit one offset
// after the other, through a connection that is not the one it stays by.
type committer struct {
	*member
	through *connection
	tasks   []*loop.Task
}

func (b *bench) newCommitter() (*committer, error) {
	m := &member{plan: b.plan(recordsTopic, recordsPartitions, untimed), census: newCensus()}
	var err error
	if m.connection, err = dial(b.loop, m.addr); err != nil {
		return nil, err
	}
	through, err := dial(b.loop, m.addr)
	if err != nil {
		return nil, errors.Join(err, m.net.Close())
	}
	return &committer{member: m, through: through}, nil
}

// start has it commit until it ends or, which it tells fail, cannot.
func (c *committer) start(partitions int, answered *int64, fail context.CancelCauseFunc) {
	c.tasks = append(c.tasks, c.loop.Go(func() {
		if err := c.enter(); err != nil {
			fail(err)
			return
		}
		c.tasks = append(c.tasks, c.loop.Go(func() { fail(c.stay()) }))
		fail(newCommitStream(c.through, c.commitRequest(partitions)).run(answered))
	}))
}

func (c *committer) end() {
	for _, t := range c.tasks {
		t.Stop()
	}
	c.net.Close()
	c.through.net.Close()
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
// is kept by its commits. It returns why it cannot.
func (m *member) stay() error {
	for {
		if err := m.loop.Sleep(time.Now().Add(m.pace.resting)); err != nil {
			return err
		}
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
}
