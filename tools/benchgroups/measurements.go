package main

import (
	"context"
	"fmt"
	"slices"
)

// measurement gives the figures of one row or several.
type measurement struct {
	setup string
	rows  []row
	// roundTrips is how many each of the sharers has to make in sequence, where
	// they and no timers are what the figure contains at least.
	roundTrips int
	// turns is how many each broker has, if it is not one; the better counts.
	turns int
	// together: all brokers at once, since the machine is idle meanwhile.
	together bool
	take     func(context.Context, *bench) ([]float64, error)
}

// row is one line of the table.
type row struct {
	protocol, name string
	unit           unit
	// target is the ratio to Kafka that is to be reached; 0: none.
	target float64
	// timers says which of the protocol's timers the figure contains, and least
	// how much of it at least is theirs.
	timers string
	least  float64
}

func (r row) label() string { return r.protocol + ": " + r.name }

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

// one makes a row of a single figure.
func one(setup string, r row, take func(context.Context, *bench) (float64, error)) measurement {
	return measurement{setup: setup, rows: []row{r}, take: func(ctx context.Context, b *bench) ([]float64, error) {
		value, err := take(ctx, b)
		return []float64{value}, err
	}}
}

func measurements() []measurement {
	var all []measurement
	for _, protocol := range []string{classicProtocol, consumerProtocol} {
		all = slices.Concat(all, joinRows(protocol), rebalanceRows(protocol))
		for _, partitions := range []int{1, 10} {
			all = append(all, commitRows(protocol, partitions))
		}
		r := row{protocol: protocol, name: "broker CPU for 1,000 idle members", unit: cores, target: 0.3,
			timers: "the usual heartbeat: " + map[string]string{classicProtocol: "3 s", consumerProtocol: "5 s"}[protocol]}
		idling := one(usual.name, r, idle)
		idling.together = true
		all = append(all, idling)
	}
	for _, members := range []int{1, 10, 100} {
		all = append(all, withUsualDelay(members))
	}
	return all
}

func commitRows(protocol string, partitions int) measurement {
	name := fmt.Sprintf("commits of %d partitions", partitions)
	return measurement{
		setup: usual.name, // a session of a second may end on a machine that does much else
		rows: []row{
			{protocol: protocol, name: name, unit: perSecond, target: 3, timers: "none"},
			{protocol: protocol, name: name + ", broker CPU of each", unit: microseconds, target: 0.3, timers: "none"},
		},
		take: func(ctx context.Context, b *bench) ([]float64, error) { return b.commits(ctx, partitions) },
	}
}

// withUsualDelay is a join with group.initial.rebalance.delay.ms, which a second
// member has begin anew.
func withUsualDelay(members int) measurement {
	delay := usualDelay
	if members > 1 {
		delay *= 2
	}
	r := row{protocol: classicProtocol, name: fmt.Sprintf("%d members, as above, with the usual delay, beyond it", members), unit: milliseconds, target: 0.5,
		timers: fmt.Sprintf("none: group.initial.rebalance.delay.ms, %v in all, is taken off", delay)}
	m := one(usual.name, r, func(ctx context.Context, b *bench) (float64, error) {
		took, err := b.joinToRecord(ctx, members, untimed)
		return took - inMilliseconds(delay), err
	})
	m.turns = delayedTurns
	return m
}

// delayedTurns is for a single sample of a few milliseconds after seconds of rest.
const delayedTurns = 3

// joinRows are of members that join a new group all at once. Without a delay the
// group of the first is whole before the others come, so that they too are
// heard of by heartbeats.
func joinRows(protocol string) (all []measurement) {
	for _, members := range []int{1, 10, 100} {
		r := row{protocol: protocol, unit: milliseconds, target: 0.5, timers: "none",
			name: fmt.Sprintf("%d members from the first join to the last one's first record", members)}
		all = append(all, joinRow(r, members, untimed))
		if members > 1 {
			r.name += ", " + beating
			r.timers = fmt.Sprintf("the next heartbeat of those who are in, up to %v each time", fastInterval)
			all = append(all, joinRow(r, members, fast))
		}
	}
	return all
}

func joinRow(r row, members int, p pace) measurement {
	return one(quick.name, r, func(ctx context.Context, b *bench) (float64, error) {
		sample := func(ctx context.Context) (float64, error) { return b.joinToRecord(ctx, members, p) }
		if err := warm(ctx, joins, sample); err != nil {
			return 0, err
		}
		return p.typicalOf(ctx, joins, sample)
	})
}

const beating = "with members that beat every 20 ms"

func rebalanceRows(protocol string) (all []measurement) {
	for _, p := range []pace{untimed, fast} {
		for _, c := range allChanges() {
			all = append(all, rebalanceRow(protocol, c, p))
		}
	}
	return all
}

func rebalanceRow(protocol string, c change, p pace) measurement {
	r := row{protocol: protocol, name: "100 members share 1,000 partitions and one " + c.name, unit: milliseconds, target: 0.5, timers: "none"}
	if p == fast {
		r.name += ", " + beating
		r.least, r.timers = floor(protocol, c)
	}
	if c.lasts {
		r.timers += "; session.timeout.ms, 1 s, is taken off"
	}
	all := measurement{setup: quick.name, rows: []row{r}}
	if p == untimed {
		all.roundTrips, all.turns = roundTrips[protocol], untimedTurns
		all.rows[0].timers = fmt.Sprintf("%s; %d round trips of each member, in sequence", r.timers, all.roundTrips)
	}
	all.take = func(ctx context.Context, b *bench) ([]float64, error) {
		took, cpu, err := b.rebalance(ctx, c, p)
		return []float64{took, cpu}[:len(all.rows)], err
	}
	if p == untimed && !c.lasts {
		r.name, r.target = r.name+", broker CPU of that and the way back", 0
		all.rows = append(all.rows, r)
	}
	return all
}

// untimedTurns is for what takes so little that a moment in which the machine is
// slow would otherwise be one broker's alone. In every other one the driver has a
// core of its own.
const untimedTurns = 4

// roundTrips are the least that members make until they have settled: those of
// the classic protocol hear of the rebalance, join and sync, those of the other
// hear of the epoch.
var roundTrips = map[string]int{classicProtocol: 3, consumerProtocol: 1}

// floor is what the heartbeats alone take at least, in milliseconds. A member
// hears of a change by its next heartbeat. All rest when one joins or leaves, so
// that the last of a hundred hears an interval later; the end of a session may
// come just before they beat. Where partitions have to be given up first
// (KIP-848, one joins), whom they go to hears of them by a heartbeat after that,
// within another interval.
func floor(protocol string, c change) (least float64, says string) {
	switch {
	case c.lasts:
		return 0, fmt.Sprintf("1 heartbeat of the others, up to %v", fastInterval)
	case protocol == consumerProtocol && c.by > 0:
		return inMilliseconds(fastInterval), fmt.Sprintf("2 heartbeats in sequence, the others' and the new one's, %v to %v", fastInterval, 2*fastInterval)
	}
	return inMilliseconds(fastInterval), fmt.Sprintf("1 heartbeat of the others, %v", fastInterval)
}
