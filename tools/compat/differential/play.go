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
	// size is how many members there are.
	size int
	// instances are the group.instance.ids of the members; nil for none.
	instances [mostMembers]*string
	// consumers are the members that speak the consumer protocol; mixed is set if
	// there are others too.
	mixed     bool
	consumers [mostMembers]bool
	// assignor is the one that members ask for, if they do: of two with as many
	// votes Kafka takes the one that its hash table has first.
	assignor *string
	// expression is one of RE2's; with another Kafka would wait for ten seconds.
	expression string
	// looked is set once a member has subscribed to it: since then the epochs that a
	// member has been at may not be the same, though the last one is.
	looked bool
	steps  []step
}

const (
	// mostMembers are the members of the largest groups.
	mostMembers = 6
	// memberConnections are two for each, since what waits keeps its connection.
	memberConnections = 2 * mostMembers
	// mostActs bounds the length of a play of two.
	mostActs = 24
)

// play makes the steps of a group that was not there before.
func (d *draw) play(number int, served map[int16]versions) []step {
	p := &play{draw: d, number: number, group: fmt.Sprint("play ", number), served: served}
	kind := p.cast()
	for n := range p.size {
		// A classic member that comes into a consumer group is given an id that says
		// nothing, and its place among three or more hangs on that, or on its
		// instance.
		needed := p.mixed && p.size > 2 && !p.consumers[n]
		if needed || d.chance(3) {
			p.instances[n] = kmsg.StringPtr(fmt.Sprint("i", n))
		}
	}
	for range 4 + d.IntN(mostActs-4) + 4*(p.size-2) {
		if d.chance(12) {
			p.configure()
			continue
		}
		kind(p)
	}
	for n := range p.size {
		p.depart(n)
	}
	return p.steps
}

// cast draws how many members there are, and of which protocols.
func (p *play) cast() (kind func(p *play)) {
	p.assignor = kmsg.StringPtr(pick(p.draw, uniform, "range"))
	p.expression = pick(p.draw, expressions...)
	p.size = pick(p.draw, 2, 2, 3, 4, 5, mostMembers)
	switch p.IntN(5) {
	case 0, 1:
		return classicActs
	case 2, 3:
		for n := range p.size {
			p.consumers[n] = true
		}
		return consumerActs
	}
	p.mixed, p.assignor = true, kmsg.StringPtr("range")
	p.size = pick(p.draw, 2, 3, 3, 4, 5, mostMembers)
	for n := range p.size {
		p.consumers[n] = p.chance(2)
	}
	one := p.IntN(p.size)
	p.consumers[one], p.consumers[(one+1)%p.size] = true, false
	return mixedActs
}

// act adds a step of the nth member.
func (p *play) act(n int, q kmsg.Request, waits bool) {
	connection := connections + n
	if !waits && p.chance(15) {
		connection += mostMembers
	}
	p.steps = append(p.steps, step{connection: connection, group: p.group, requests: []request{{
		Request: q, member: p.member(n), client: fmt.Sprint("differential-", n), waits: waits,
	}}})
}

// last is the request that was added last.
func (p *play) last() *request { return &p.steps[len(p.steps)-1].requests[0] }

func (p *play) member(n int) string { return memberPlaceholder(p.number, n) }

// request is one of a key in any of its versions.
func (p *play) request(key int16) kmsg.Request {
	v := p.served[key]
	return versioned(key, v.min+int16(p.IntN(int(v.max-v.min)+1)))
}

// id is the id of the nth member, or seldom one that is wrong.
func (p *play) id(n int) string {
	if p.chance(25) && !p.mixed {
		return pick(p.draw, "", "nobody", p.member((n+1)%p.size))
	}
	return p.member(n)
}

// epoch is what the member was told last, or seldom something else.
func (p *play) epoch() int32 {
	if p.chance(15) {
		if epoch := pick[int32](p.draw, toldEpoch-1, toldEpoch+1, 0, -1, -2, 1<<31-1); epoch != toldEpoch-1 || !p.looked {
			return epoch
		}
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
	if p.chance(3) {
		q.Version = p.served[8].max // by topic ids
	}
	p.offsetCommit(q)
	q.Group, q.MemberID, q.Generation, q.InstanceID = p.group, p.id(n), p.epoch(), p.instance(n)
	p.act(n, q, false)
}

func (p *play) fetchOffsets(n int) {
	q := p.request(9).(*kmsg.OffsetFetchRequest)
	if p.chance(3) {
		q.Version = p.served[9].max // by topic ids
	}
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
