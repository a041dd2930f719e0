package classic

import (
	"fmt"
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Timeouts of simulated members.
const (
	simSessionMs   = 6000
	simRebalanceMs = 20_000
)

// process is one simulated client process. It does what clients do, one request
// at a time, until it is dead, which the group is not told.
type process struct {
	name      string
	instance  *string
	version   int16
	protocols []string
	topics    []string

	id         string
	generation int32
	// protocol and members are what the last join was answered with; members
	// are known to the leader alone.
	protocol *string
	members  []kmsg.JoinGroupResponseMember
	leads    bool
	phase    phase
	// asked is the request that it waits for, 0 if none.
	asked step.Token
	dead  bool
	// lazy: it keeps its heartbeat, and is slow to do what else it should.
	lazy bool
}

type phase int

const (
	out phase = iota
	joined
	synced
)

func newProcess(rng *rand.Rand, n int, instances int) *process {
	p := &process{name: fmt.Sprintf("p%d", n), version: int16(rng.IntN(10))}
	if rng.IntN(3) == 0 {
		instance := fmt.Sprintf("i%d", rng.IntN(instances))
		p.instance, p.version = &instance, int16(5+rng.IntN(5))
	}
	p.lazy = rng.IntN(6) == 0
	p.change(rng)
	return p
}

// change has the process say something else of itself.
func (p *process) change(rng *rand.Rand) {
	p.protocols = [][]string{{"range"}, {"range", "sticky"}, {"sticky", "range"}, {"sticky", "range", "odd"}, {"odd"}}[rng.IntN(5)]
	p.topics = [][]string{{"t"}, {"t", "u"}, {"u"}}[rng.IntN(3)]
}

// identity is what a share belongs to.
func (p *process) identity() string {
	if p.instance != nil {
		return "instance " + *p.instance
	}
	return p.id
}

func (p *process) join() *kmsg.JoinGroupRequest {
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.MemberID, r.InstanceID = p.version, "g", p.id, p.instance
	r.SessionTimeoutMillis, r.RebalanceTimeoutMillis, r.ProtocolType = simSessionMs, simRebalanceMs, step.ConsumerProtocol
	for _, name := range p.protocols {
		r.Protocols = append(r.Protocols, kmsg.JoinGroupRequestProtocol{Name: name, Metadata: subscription(p.topics)})
	}
	return r
}

// sync has the leader give each member a share that is found only once: decided
// is never the same.
func (p *process) sync(decided int) *kmsg.SyncGroupRequest {
	r := kmsg.NewPtrSyncGroupRequest()
	r.Version, r.Group, r.MemberID, r.InstanceID, r.Generation = 3, "g", p.id, p.instance, p.generation
	for i, m := range p.members {
		r.GroupAssignment = append(r.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{
			MemberID: m.MemberID, MemberAssignment: fmt.Appendf(nil, "%d/%d", decided, i),
		})
	}
	return r
}

func (p *process) heartbeat() *kmsg.HeartbeatRequest {
	r := kmsg.NewPtrHeartbeatRequest()
	r.Version, r.Group, r.MemberID, r.InstanceID, r.Generation = 4, "g", p.id, p.instance, p.generation
	return r
}

func (p *process) leave() *kmsg.LeaveGroupRequest {
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version, r.Group, r.MemberID = min(p.version, 5), "g", p.id
	r.Members = []kmsg.LeaveGroupRequestMember{{MemberID: p.id, InstanceID: p.instance}}
	return r
}

// next is the request that the process has to make now.
func (p *process) next(decided int) kmsg.Request {
	if p.lazy && p.generation > 0 {
		return p.heartbeat()
	}
	switch p.phase {
	case joined:
		return p.sync(decided)
	case synced:
		return p.heartbeat()
	default:
		return p.join()
	}
}

// take has the process act on an answer.
func (p *process) take(r kmsg.Response) {
	p.asked = 0
	switch r := r.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode == kerr.MemberIDRequired.Code {
			p.id = r.MemberID
			return
		}
		if !p.failed(r.ErrorCode) {
			p.id, p.generation, p.protocol, p.members, p.phase = r.MemberID, r.Generation, r.Protocol, r.Members, joined
			p.leads = r.LeaderID == r.MemberID
			if r.SkipAssignment {
				p.members = nil
			}
		}
	case *kmsg.SyncGroupResponse:
		if !p.failed(r.ErrorCode) {
			p.phase = synced
		}
	case *kmsg.HeartbeatResponse:
		p.failed(r.ErrorCode)
	case *kmsg.LeaveGroupResponse:
		p.dead = true
	}
}

// failed has the process do what its error asks for.
func (p *process) failed(errorCode int16) bool {
	switch errorCode {
	case 0:
		return false
	case kerr.UnknownMemberID.Code:
		p.id = ""
	case kerr.FencedInstanceID.Code:
		p.dead = true
	case kerr.InconsistentGroupProtocol.Code:
		p.protocols = []string{"range", "sticky", "odd"}
	}
	p.phase = out
	return true
}
