package main

import (
	"context"
	"fmt"
	"time"
)

// measurement is one row.
type measurement struct {
	name, protocol, setup string
	unit                  unit
	// target is the ratio to Kafka that is to be reached.
	target float64
	// timers says which of the protocol's timers the figure contains, and least
	// how much of it at least is theirs.
	timers string
	least  float64
	take   func(context.Context, *bench) (float64, error)
}

func (m measurement) label() string { return m.protocol + ": " + m.name }

// unit is what a figure means.
type unit struct {
	name string
	// more is set where more is better.
	more bool
}

var (
	milliseconds = unit{name: "ms"}
	microseconds = unit{name: "us"}
	perSecond    = unit{name: "/s", more: true}
	cores        = unit{name: "% of a core"}
)

func (u unit) format(value float64) string {
	if u.more {
		return fmt.Sprintf("%.0f%s", value, u.name)
	}
	return fmt.Sprintf("%.2f %s", value, u.name)
}

func measurements() (all []measurement) {
	for _, protocol := range []string{classicProtocol, consumerProtocol} {
		for _, members := range []int{1, 10, 100} {
			all = append(all, measurement{
				name: fmt.Sprintf("%d members from the first join to the last one's first record", members), protocol: protocol, setup: quick.name,
				unit: milliseconds, target: 0.5, timers: timersOfJoin(members),
				take: func(ctx context.Context, b *bench) (float64, error) { return b.joinToRecord(ctx, members, 9) },
			})
		}
		all = append(all, rebalances(protocol)...)
		for _, partitions := range []int{1, 10} {
			all = append(all, commitRows(protocol, partitions)...)
		}
		all = append(all, measurement{
			name: "broker CPU for 1,000 idle members", protocol: protocol, setup: usual.name, unit: cores, target: 0.3,
			take: idle,
		})
	}
	for _, members := range []int{1, 10, 100} {
		all = append(all, withUsualDelay(members))
	}
	return all
}

func commitRows(protocol string, partitions int) []measurement {
	name := fmt.Sprintf("commits of %d partitions", partitions)
	return []measurement{
		{name: name, protocol: protocol, setup: quick.name, unit: perSecond, target: 3, take: func(ctx context.Context, b *bench) (float64, error) {
			rate, _, err := b.commits(ctx, partitions)
			return rate, err
		}},
		{name: name + ", broker CPU of each", protocol: protocol, setup: quick.name, unit: microseconds, target: 0.33, take: func(ctx context.Context, b *bench) (float64, error) {
			_, cpu, err := b.commits(ctx, partitions)
			return cpu, err
		}},
	}
}

// withUsualDelay is a join with group.initial.rebalance.delay.ms, which a second
// member has begin anew.
func withUsualDelay(members int) measurement {
	delay := usualDelay
	if members > 1 {
		delay *= 2
	}
	return measurement{
		name: fmt.Sprintf("%d members, as above, with the usual delay, beyond it", members), protocol: classicProtocol, setup: usual.name,
		unit: milliseconds, target: 0.5, timers: fmt.Sprintf("group.initial.rebalance.delay.ms, %v in all, is taken off", delay),
		take: func(ctx context.Context, b *bench) (float64, error) {
			took, err := b.joinToRecord(ctx, members, 3)
			return took - float64(delay.Milliseconds()), err
		},
	}
}

func timersOfJoin(members int) string {
	if members == 1 {
		return ""
	}
	return "the others' next heartbeats, up to 20 ms each time"
}

func rebalances(protocol string) (all []measurement) {
	for _, change := range []struct {
		name, timers string
		take         func(context.Context, *bench) (float64, error)
	}{
		{"joins", "the others' next heartbeats, 20 ms", oneJoins},
		{"leaves", "the others' next heartbeats, 20 ms", oneLeaves},
		{"dies, beyond its session", "the others' next heartbeats, 20 ms; the session of 3 s is taken off", oneDies},
	} {
		all = append(all, measurement{
			name: "100 members share 1,000 partitions and one " + change.name, protocol: protocol, setup: quick.name,
			unit: milliseconds, target: 0.5, timers: change.timers, least: quickHeartbeat,
			take: change.take,
		})
	}
	return all
}

// quickHeartbeat is the interval of heartbeats in milliseconds: the last of a
// hundred members hears of a rebalance about so much later.
var quickHeartbeat = float64(quick.heartbeat.Milliseconds())

// inMilliseconds is how long it took since then.
func inMilliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
