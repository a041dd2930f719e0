package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The protocols of groups.
const (
	classicProtocol  = "classic"
	consumerProtocol = "consumer"
)

// plan is what all members of a group have in common.
type plan struct {
	addr, group, protocol, topic string
	topicID                      [16]byte
	partitions                   int
	// session is the session timeout of the classic protocol; with the other the
	// broker says so.
	session time.Duration
	pace    pace
	// reads: members read a record, as soon as they have a partition.
	reads bool
}

const rebalanceTimeout = 60 * time.Second

// team is members of one group.
type team struct {
	plan
	census  *census
	members []*member
	started int // how many of them
	running sync.WaitGroup
}

// member is one of them, and runs in a goroutine of its own.
type member struct {
	plan
	*connection
	number int
	census *census
	// leaving is done to have the member leave, and die to have it be gone.
	leaving context.Context
	leave   context.CancelFunc
	alive   context.Context
	die     context.CancelFunc
	// ended is closed when its goroutine has ended.
	ended chan struct{}
	// id and epoch, which is a generation with the classic protocol, are what
	// the coordinator gave.
	id    string
	epoch int32
	read  bool
	// beat and timer are used again and again.
	beat  *kmsg.ConsumerGroupHeartbeatRequest
	timer *time.Timer
}

func newTeam(p plan) *team { return &team{plan: p, census: newCensus()} }

// join has so many more members join.
func (t *team) join(ctx context.Context, members int) error {
	if err := t.connect(ctx, members); err != nil {
		return err
	}
	t.start()
	return nil
}

// connect makes so many more members, with their connections, so that these are
// not a part of what is measured.
func (t *team) connect(ctx context.Context, members int) error {
	for range members {
		m := &member{plan: t.plan, number: len(t.members), census: t.census, ended: make(chan struct{})}
		m.alive, m.die = context.WithCancel(ctx)
		m.leaving, m.leave = context.WithCancel(m.alive)
		t.members = append(t.members, m)
		var err error
		if m.connection, err = dial(m.alive, m.addr); err != nil {
			return err
		}
	}
	return nil
}

// start has those join who have not.
func (t *team) start() {
	for _, m := range t.members[t.started:] {
		t.running.Go(func() {
			defer close(m.ended)
			defer m.net.Close()
			err := m.run(m.alive)
			if m.timer != nil {
				m.timer.Stop()
			}
			t.census.gone(m.number)
			if err != nil && m.alive.Err() == nil {
				t.census.failed(fmt.Errorf("member %d of group %s: %w", m.number, m.group, err))
			}
		})
	}
	t.started = len(t.members)
}

// end has all members leave, so that the broker is done with the group before
// another one is measured. Those who cannot leave die.
func (t *team) end() {
	for _, m := range t.members {
		m.leave()
	}
	patient := time.AfterFunc(patience, func() {
		for _, m := range t.members {
			m.die()
		}
	})
	t.running.Wait()
	patient.Stop()
	for _, m := range t.members {
		m.die()
	}
}

func (m *member) run(ctx context.Context) error {
	if m.protocol == consumerProtocol {
		return m.runConsumer(ctx)
	}
	return m.runClassic(ctx)
}

// fetchFirst asks where the group is in a partition, and reads the first record
// there, once.
func (m *member) fetchFirst(partition int32) error {
	if m.read || !m.reads {
		return nil
	}
	offset, err := m.position(partition)
	if err != nil {
		return err
	}
	q := kmsg.NewPtrFetchRequest()
	q.Version, q.ReplicaID, q.MaxWaitMillis, q.MinBytes, q.MaxBytes, q.SessionEpoch = 12, -1, 500, 1, 1<<20, -1
	part := kmsg.NewFetchRequestTopicPartition()
	part.Partition, part.FetchOffset, part.PartitionMaxBytes, part.CurrentLeaderEpoch = partition, offset, 1<<20, -1
	q.Topics = append(q.Topics, kmsg.FetchRequestTopic{Topic: m.topic, Partitions: []kmsg.FetchRequestTopicPartition{part}})
	response, err := ask[*kmsg.FetchResponse](m.connection, q)
	if err != nil {
		return err
	}
	got := response.Topics[0].Partitions[0]
	if err := kerr.ErrorForCode(got.ErrorCode); err != nil || len(got.RecordBatches) == 0 {
		return fmt.Errorf("fetching partition %d at %d: %d bytes: %w", partition, offset, len(got.RecordBatches), err)
	}
	m.read = true
	m.census.hasRead(m.number)
	return nil
}

// position is what the group has committed, which is nothing: so it is 0.
func (m *member) position(partition int32) (int64, error) {
	q := kmsg.NewPtrOffsetFetchRequest()
	q.Version = 9
	group := kmsg.NewOffsetFetchRequestGroup()
	group.Group = m.group
	if m.protocol == consumerProtocol {
		group.MemberID, group.MemberEpoch = &m.id, m.epoch
	}
	group.Topics = append(group.Topics, kmsg.OffsetFetchRequestGroupTopic{Topic: m.topic, Partitions: []int32{partition}})
	q.Groups = append(q.Groups, group)
	response, err := ask[*kmsg.OffsetFetchResponse](m.connection, q)
	if err != nil {
		return 0, err
	}
	if err := kerr.ErrorForCode(response.Groups[0].ErrorCode); err != nil {
		return 0, fmt.Errorf("asking for offsets: %w", err)
	}
	return max(response.Groups[0].Topics[0].Partitions[0].Offset, 0), nil
}
