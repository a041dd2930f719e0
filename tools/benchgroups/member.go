package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// The protocols of groups.
const (
	classicProtocol  = "classic"
	consumerProtocol = "consumer"
)

// plan is what all members of a group have in common.
type plan struct {
	loop                         *loop.Loop
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
}

// member is one of them, and runs in a task of its own.
type member struct {
	plan
	*connection
	task   *loop.Task
	number int
	census *census
	// leaving is set to have the member leave when it wakes.
	leaving bool
	// id and epoch, which is a generation with the classic protocol, are what
	// the coordinator gave.
	id    string
	epoch int32
	read  bool
	// beat is used again and again.
	beat *kmsg.ConsumerGroupHeartbeatRequest
}

func newTeam(p plan) *team {
	t := &team{plan: p, census: newCensus()}
	t.census.turned = t.wakeThoseDue
	return t
}

// join has so many more members join.
func (t *team) join(members int) error {
	if err := t.connect(members); err != nil {
		return err
	}
	t.start()
	return nil
}

// connect makes so many more members, with their connections, so that these are
// not a part of what is measured.
func (t *team) connect(members int) error {
	for range members {
		conn, err := dial(t.loop, t.addr)
		if err != nil {
			return err
		}
		t.members = append(t.members, &member{plan: t.plan, connection: conn, number: len(t.members), census: t.census})
	}
	return nil
}

// start has those join who have not.
func (t *team) start() {
	for _, m := range t.members[t.started:] {
		m.task = t.loop.Go(func() {
			defer m.net.Close()
			err := m.run()
			t.census.gone(m.number)
			if err != nil && !errors.Is(err, loop.ErrStopped) {
				t.census.failed(fmt.Errorf("member %d of group %s: %w", m.number, m.group, err))
			}
		})
	}
	t.started = len(t.members)
}

// wakeThoseDue wakes members without timers whose heartbeat is of use now.
func (t *team) wakeThoseDue() {
	if t.pace.changing > 0 {
		return
	}
	for _, m := range t.members[:t.started] {
		if t.census.isDue(m.number) {
			m.task.Wake()
		}
	}
}

// end has all members leave, so that the broker is done with the group before
// another one is measured. Those who cannot leave die.
func (t *team) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, m := range t.members[:t.started] {
		m.leave()
	}
	_ = t.loop.Run(ctx, t.isOver) // whoever is left
	for _, m := range t.members {
		m.die()
	}
}

func (t *team) isOver() bool {
	for _, m := range t.members[:t.started] {
		if !m.task.Over() {
			return false
		}
	}
	return true
}

// leave has a member that has started leave its group.
func (m *member) leave() {
	m.leaving = true
	m.task.Wake()
}

// die has the member be gone without a word.
func (m *member) die() {
	if m.task != nil {
		m.task.Stop()
	}
	m.net.Close()
}

func (m *member) run() error {
	if m.protocol == consumerProtocol {
		return m.runConsumer()
	}
	return m.runClassic()
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
