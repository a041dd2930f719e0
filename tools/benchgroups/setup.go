package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/benchgroups/internal/loop"
	"odradek.dev/tools/internal/contestant"
)

// setup is settings that both brokers get.
type setup struct {
	name     string
	settings []string
	// session is that of classic members.
	session time.Duration
}

// usualDelay is the default of group.initial.rebalance.delay.ms.
const usualDelay = 3 * time.Second

// quickSession is the session timeout where members die.
const quickSession = time.Second

// quick leaves little to the timers of the protocols; usual is the defaults of
// brokers and clients.
var (
	quick = setup{name: "quick", session: quickSession, settings: []string{
		"group.initial.rebalance.delay.ms=0",
		"group.min.session.timeout.ms=1000",
		"group.consumer.min.session.timeout.ms=1000",
		fmt.Sprintf("group.consumer.session.timeout.ms=%d", quickSession.Milliseconds()),
		"group.consumer.min.heartbeat.interval.ms=20",
		"group.consumer.heartbeat.interval.ms=20",
		"group.consumer.assignment.interval.ms=0",
	}}
	usual = setup{name: "usual", session: 45 * time.Second}
)

// The topics: one with a record in each partition, and one with many
// partitions.
const (
	recordsTopic, recordsPartitions = "records", 100
	wideTopic, widePartitions       = "wide", 1000
)

// bench is a broker that is measured.
type bench struct {
	*contestant.Process
	setup
	// protocol is the one that is measured now.
	protocol string
	ids      map[string][16]byte // of the topics
	groups   int                 // how many were used
	driver   driver
	// loop runs the members.
	loop *loop.Loop
}

func newBench(ctx context.Context, p *contestant.Process, s setup) (*bench, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(p.Addr), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	b := &bench{Process: p, setup: s, ids: make(map[string][16]byte)}
	if b.loop, err = loop.New(); err != nil {
		return nil, err
	}
	for topic, partitions := range map[string]int32{recordsTopic: recordsPartitions, wideTopic: widePartitions} {
		if b.ids[topic], err = p.CreateTopic(ctx, topic, partitions); err != nil {
			return nil, err
		}
	}
	var records []*kgo.Record
	for partition := range int32(recordsPartitions) {
		records = append(records, &kgo.Record{Topic: recordsTopic, Partition: partition, Value: []byte("first")})
	}
	if err := client.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return nil, err
	}
	return b, b.warm(ctx, kadm.NewClient(client))
}

// warm has the topic of offsets made, all of its partitions loaded, and the
// code of the coordinator compiled where it is compiled while it runs.
func (b *bench) warm(ctx context.Context, admin *kadm.Client) error {
	none := make(kadm.Offsets)
	none.AddOffset(recordsTopic, 0, 0, -1)
	for n := range 200 {
		group := fmt.Sprintf("warm-%d", n)
		for {
			committed, err := admin.CommitOffsets(ctx, group, none)
			if err == nil {
				_, err = admin.FetchOffsets(ctx, group)
			}
			if err == nil && committed.Error() == nil {
				break
			}
			if ctx.Err() != nil {
				return errors.Join(ctx.Err(), err)
			}
		}
	}
	return nil
}

// plan is that of a new group.
func (b *bench) plan(topic string, partitions int, p pace) plan {
	b.groups++
	return plan{
		loop: b.loop, addr: b.Addr, group: fmt.Sprintf("%s-%d", b.protocol, b.groups), protocol: b.protocol,
		topic: topic, topicID: b.ids[topic], partitions: partitions, session: b.session, pace: p,
	}
}
