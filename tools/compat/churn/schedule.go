package churn

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// action is what happens at one moment.
type action string

const (
	join   action = "join"
	leave  action = "leave"
	kill   action = "kill"   // SIGKILL
	stop   action = "stop"   // SIGSTOP
	resume action = "resume" // SIGCONT
	crash  action = "crash"  // the broker is killed with SIGKILL and started
	// drained is the end of the producer, when all of a schedule has happened.
	drained action = "drained"
)

// moment is one line of a schedule.
type moment struct {
	at     time.Duration
	action action
	// group and member are what it happens to; a crash happens to all.
	group   *group
	member  string
	library string
}

func (m moment) String() string {
	if m.action == crash {
		return fmt.Sprintf("%6.1fs %s", m.at.Seconds(), m.action)
	}
	return fmt.Sprintf("%6.1fs %s %s", m.at.Seconds(), m.action, m.member)
}

// group is what members join.
type group struct {
	name, protocol string
	libraries      []string
}

const (
	// Between two actions there is a time from these.
	leastPause, mostPause = time.Second, 3 * time.Second
	// A stopped member stays stopped for longer than its session, and not always
	// for longer than a rebalance.
	leastStop, mostStop = sessionTimeout + time.Second, sessionTimeout + 6*time.Second
	// awake is how many members of a group always run.
	awake = 2
	// room is how many more than one of each library a group may have.
	room = 2
)

// drawing is the state of the drawing of a schedule.
type drawing struct {
	random   *rand.Rand
	length   time.Duration
	schedule []moment
	running  map[*group][]moment // the join of each member that runs
	joined   int
	stopped  map[string]time.Duration // by member, until when
	// From calm to busy nothing happens to members.
	calm, busy time.Duration
}

// draw makes the schedule of a seed: at first one member of each library joins
// each group, and then something happens every few seconds. In the second
// quarter and in the third the broker crashes. After the first crash all members
// are left alone until each has to have made progress; after the second they
// are not.
func draw(seed uint64, length time.Duration, groups []*group) []moment {
	d := &drawing{
		random: rand.New(rand.NewPCG(seed, 0)), length: length, running: make(map[*group][]moment), stopped: make(map[string]time.Duration),
	}
	d.calm = length/4 + d.between(0, length/4)
	d.busy = d.calm + progressOf("kafka-go") + leastPause
	crashes := []time.Duration{d.calm, length/2 + d.between(0, length/4)}
	for _, g := range groups {
		for _, library := range g.libraries {
			d.join(0, g, library)
		}
	}
	for at := d.between(leastPause, mostPause); at < length; at += d.between(leastPause, mostPause) {
		if g := groups[d.random.IntN(len(groups))]; !d.isCalm(at) {
			d.act(at, g)
		}
	}
	for _, at := range crashes {
		d.schedule = append(d.schedule, moment{at: at, action: crash})
	}
	slices.SortStableFunc(d.schedule, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return d.schedule
}

func (d *drawing) isCalm(at time.Duration) bool { return d.calm <= at && at < d.busy }

func (d *drawing) between(least, most time.Duration) time.Duration {
	return least + time.Duration(d.random.Int64N(int64(most-least)))
}

func (d *drawing) join(at time.Duration, g *group, library string) {
	d.joined++
	m := moment{at: at, action: join, group: g, member: fmt.Sprintf("%s/%d-%s", g.name, d.joined, library), library: library}
	d.schedule = append(d.schedule, m)
	d.running[g] = append(d.running[g], m)
}

// act draws one action on a group.
func (d *drawing) act(at time.Duration, g *group) {
	var able []moment
	for _, m := range d.running[g] {
		if d.stopped[m.member] <= at {
			able = append(able, m)
		}
	}
	what := []action{join, leave, kill, stop}[d.random.IntN(4)]
	crowded := len(d.running[g]) >= len(g.libraries)+room
	switch {
	case len(able) <= awake, what == join && !crowded:
		d.join(at, g, d.rarest(g))
		return
	case what == join:
		what = leave
	}
	d.disturb(at, able[d.random.IntN(len(able))], what)
}

func (d *drawing) disturb(at time.Duration, victim moment, what action) {
	until := at + d.between(leastStop, mostStop)
	if d.isCalm(until) {
		until = d.busy
	}
	if what == stop && until >= d.length {
		what = kill
	}
	victim.at, victim.action = at, what
	d.schedule = append(d.schedule, victim)
	if what == stop {
		victim.at, victim.action = until, resume
		d.schedule = append(d.schedule, victim)
		d.stopped[victim.member] = until
		return
	}
	d.running[victim.group] = slices.DeleteFunc(d.running[victim.group], func(m moment) bool { return m.member == victim.member })
}

// rarest is a library of which the group has the fewest members.
func (d *drawing) rarest(g *group) string {
	members := make(map[string]int)
	for _, m := range d.running[g] {
		members[m.library]++
	}
	shuffled := slices.Clone(g.libraries)
	d.random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return slices.MinFunc(shuffled, func(a, b string) int { return cmp.Compare(members[a], members[b]) })
}
