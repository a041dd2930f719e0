package differential

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// play is what the members of one group do, one step after the other: they
// join, sync, say that they are alive, commit and leave, mostly as clients do,
// and now and then as none would. All its deadlines are further away than its
// end.
type play struct {
	*draw
	number int
	group  string
	served map[int16]versions
	// instances are the group.instance.ids of the members; nil for none.
	instances [players]*string
	// consumers are the members that speak the consumer protocol, if there may be
	// some of both in the group.
	mixed     bool
	consumers [players]bool
	// assignor is the one that members ask for, if they do: of two with as many
	// votes Kafka takes the one that its hash table has first.
	assignor *string
	steps    []step
}

const (
	// players are the members of a group: with more of them, which one leads next
	// and who is given what hangs on the ids that the broker made.
	players = 2
	// memberConnections are two for each, since what waits keeps its connection.
	memberConnections = 2 * players
	// mostActs bounds the length of a play.
	mostActs = 24
)

// play makes the steps of a group that was not there before.
func (d *draw) play(number int, served map[int16]versions) []step {
	p := &play{draw: d, number: number, group: fmt.Sprint("play ", number), served: served}
	for n := range p.instances {
		if d.chance(3) {
			p.instances[n] = kmsg.StringPtr(fmt.Sprint("i", n))
		}
	}
	acts := 4 + d.IntN(mostActs-4)
	kind := pick(d, classicActs, consumerActs)
	p.consumers[d.IntN(players)] = true
	p.assignor = kmsg.StringPtr(pick(d, uniform, "range"))
	p.mixed = d.chance(5)
	if p.mixed {
		kind, p.assignor = mixedActs, kmsg.StringPtr("range")
	}
	for range acts {
		kind(p)
	}
	for n := range p.instances {
		p.depart(n)
	}
	return p.steps
}

// act adds a step of the nth member.
func (p *play) act(n int, q kmsg.Request, waits bool) {
	connection := connections + n
	if !waits && p.chance(15) {
		connection += players
	}
	p.steps = append(p.steps, step{connection: connection, group: p.group, requests: []request{{
		Request: q, member: p.member(n), client: fmt.Sprint("differential-", n), waits: waits,
	}}})
}

func (p *play) member(n int) string { return memberPlaceholder(p.number, n) }

// request is one of a key in any of its versions.
func (p *play) request(key int16) kmsg.Request {
	v := p.served[key]
	return versioned(key, v.min+int16(p.IntN(int(v.max-v.min)+1)))
}

// id is the id of the nth member, or seldom one that is wrong.
func (p *play) id(n int) string {
	if p.chance(25) && !p.mixed {
		return pick(p.draw, "", "nobody", p.member((n+1)%players))
	}
	return p.member(n)
}

// epoch is what the member was told last, or seldom something else.
func (p *play) epoch() int32 {
	if p.chance(15) {
		return pick[int32](p.draw, toldEpoch-1, toldEpoch+1, 0, -1, -2, 1<<31-1)
	}
	return toldEpoch
}

// instance is the instance id of the nth member, or seldom one that is wrong.
func (p *play) instance(n int) *string {
	if p.chance(25) && !p.mixed {
		return pick(p.draw, nil, kmsg.StringPtr(""), kmsg.StringPtr("i0"), kmsg.StringPtr("i1"), kmsg.StringPtr("i7"))
	}
	return p.instances[n]
}

// aside is what anybody may do with the group, whatever it is.
func (p *play) aside(n int) {
	switch p.IntN(10) {
	case 0, 1, 2:
		p.commit(n)
	case 3, 4:
		p.fetchOffsets(n)
	case 5:
		p.deleteOffsets(n)
	case 6:
		q := p.request(42).(*kmsg.DeleteGroupsRequest)
		q.Groups = []string{p.group}
		p.act(n, q, false)
	case 7:
		q := p.request(16).(*kmsg.ListGroupsRequest)
		p.act(n, q, false)
	case 8:
		p.heartbeat(n)
	default:
		p.leave(n)
	}
}

func (p *play) commit(n int) {
	q := p.request(8).(*kmsg.OffsetCommitRequest)
	p.offsetCommit(q)
	q.Group, q.MemberID, q.Generation, q.InstanceID = p.group, p.id(n), p.epoch(), p.instance(n)
	p.act(n, q, false)
}

func (p *play) fetchOffsets(n int) {
	q := p.request(9).(*kmsg.OffsetFetchRequest)
	p.offsetFetch(q)
	q.Group = p.group
	for i := range q.Groups {
		q.Groups[i].Group = p.group
		if p.chance(2) {
			q.Groups[i].MemberID, q.Groups[i].MemberEpoch = kmsg.StringPtr(p.id(n)), p.epoch()
		}
	}
	if len(q.Groups) > 1 {
		q.Groups = q.Groups[:1]
	}
	p.act(n, q, false)
}

func (p *play) deleteOffsets(n int) {
	q := p.request(47).(*kmsg.OffsetDeleteRequest)
	p.offsetDelete(q)
	q.Group = p.group
	p.act(n, q, false)
}
