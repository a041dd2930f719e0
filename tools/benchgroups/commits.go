package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	// committers are members of a group each, with so many commits under way.
	committers, underWay = 16, 5
	// commitsFor is how long they are counted, after warmUp.
	commitsFor, warmUp = 4 * time.Second, 2 * time.Second
)

// commits is how many requests are answered in a second, and what CPU time of
// the broker each takes, in microseconds.
func (b *bench) commits(ctx context.Context, partitions int) (rate, cpu float64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var answered atomic.Int64
	var running sync.WaitGroup
	failures := make([]error, committers)
	for i := range committers {
		m := &member{plan: b.plan(recordsTopic, recordsPartitions), census: newCensus()}
		running.Go(func() {
			if err := m.commit(ctx, partitions, &answered); err != nil && ctx.Err() == nil {
				failures[i] = err
				cancel()
			}
		})
	}
	err = wait(ctx, warmUp)
	answered.Store(0)
	used, err2 := b.cpuOver(ctx, commitsFor)
	count := float64(answered.Load())
	cancel()
	running.Wait()
	return count / commitsFor.Seconds(), float64(used.Microseconds()) / count, errors.Join(append(failures, err, err2)...)
}

// commit joins a group, and commits the same again and again.
func (m *member) commit(ctx context.Context, partitions int, answered *atomic.Int64) (err error) {
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
	room := make(chan struct{}, underWay)
	request := through.format.AppendRequest(nil, m.commitRequest(partitions), 1)
	go func() {
		for ctx.Err() == nil {
			room <- struct{}{}
			if _, err := through.net.Write(request); err != nil {
				return // whoever reads the answers hears of it
			}
		}
	}()
	return errors.Join(m.countAnswers(through, partitions, room, answered), m.stopped(stopped))
}

// countAnswers decodes the first answer. The others have to be like it to the
// byte: so the client costs little.
func (m *member) countAnswers(through *connection, partitions int, room <-chan struct{}, answered *atomic.Int64) error {
	response, err := receive[*kmsg.OffsetCommitResponse](through, m.commitRequest(partitions))
	if err != nil {
		return err
	}
	if err := kerr.ErrorForCode(response.Topics[0].Partitions[0].ErrorCode); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	first := bytes.Clone(through.answer)
	for {
		<-room
		if _, err := through.next(); err != nil {
			return err
		}
		if !bytes.Equal(through.answer, first) {
			return fmt.Errorf("a commit is answered by %x, the first one was by %x", through.answer, first)
		}
		answered.Add(1)
	}
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
	for wait(ctx, time.Second) == nil {
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

func (m *member) commitRequest(partitions int) *kmsg.OffsetCommitRequest {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 9, m.group, m.epoch, m.id
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic = m.topic
	for p := range int32(partitions) {
		one := kmsg.NewOffsetCommitRequestTopicPartition()
		one.Partition, one.Offset = p, 1
		topic.Partitions = append(topic.Partitions, one)
	}
	q.Topics = append(q.Topics, topic)
	return q
}
