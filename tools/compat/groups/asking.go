package groups

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/clock"
)

// asking sends a broker one request of groups after another, until one is not
// answered, and takes note of the answers, without what is random in them. The
// members are all called m.
type asking struct {
	ctx    context.Context
	client *kgo.Client
	says   []string
	err    error
}

func newAsking(ctx context.Context, addr string) (*asking, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	return &asking{ctx: ctx, client: client}, err
}

func (a *asking) say(format string, args ...any) {
	a.says = append(a.says, fmt.Sprintf(format, args...))
}

// again has f try until it has done what it is to do, with a pause in between.
func (a *asking) again(what string, f func() (done bool)) {
	for a.err == nil && !f() {
		if err := clock.Wait(a.ctx, clock.Real(), 50*time.Millisecond); err != nil {
			a.err = fmt.Errorf("%s: %w", what, err)
		}
	}
}

// answer asks the broker without the help of the client, which would try again.
func answer[R kmsg.Response](a *asking, q kmsg.Request) (response R) {
	if a.err != nil {
		return response
	}
	got, err := a.client.SeedBrokers()[0].RetriableRequest(a.ctx, q)
	response, ok := got.(R)
	if a.err = err; err == nil && !ok {
		a.err = fmt.Errorf("%T was answered by %T", q, got)
	}
	return response
}

// populate has the member join a consumer group, which is made for it.
func (a *asking) populate(group string) {
	a.again("joining "+group, func() bool {
		find := kmsg.NewPtrFindCoordinatorRequest()
		find.CoordinatorKey, find.CoordinatorKeys = group, []string{group}
		answer[*kmsg.FindCoordinatorResponse](a, find)
		return a.heartbeat(group, 0) == 0
	})
}

// heartbeat is one of the consumer protocol; with the epoch 0 it joins.
func (a *asking) heartbeat(group string, epoch int32) (code int16) {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Group, q.MemberID, q.MemberEpoch, q.RebalanceTimeoutMillis = group, "m", epoch, 60_000
	q.SubscribedTopicNames, q.Topics = []string{migratingName}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	if r := answer[*kmsg.ConsumerGroupHeartbeatResponse](a, q); r != nil {
		code = r.ErrorCode
		a.say("heartbeat of %q at %d: %v, message %t", group, epoch, kerr.ErrorForCode(code), r.ErrorMessage != nil)
	}
	return code
}

// join is one of the classic protocol; it returns the id of the member.
func (a *asking) join(group, member string) (id string) {
	q := kmsg.NewPtrJoinGroupRequest()
	q.Group, q.MemberID, q.ProtocolType, q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = group, member, "consumer", 45_000, 60_000
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Topics = []string{migratingName}
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: subscription.AppendTo(nil)}}
	if r := answer[*kmsg.JoinGroupResponse](a, q); r != nil {
		id = r.MemberID
		a.say("join of %q: %v, in a generation %t, leads %t", group, kerr.ErrorForCode(r.ErrorCode), r.Generation > 0, r.LeaderID == id)
	}
	return id
}

func (a *asking) describe(groups ...string) {
	q := kmsg.NewPtrConsumerGroupDescribeRequest()
	for _, group := range groups {
		q.Groups = []string{group}
		if r := answer[*kmsg.ConsumerGroupDescribeResponse](a, q); r != nil && len(r.Groups) == 1 {
			a.say("describe of %q: %v, message %t", r.Groups[0].Group, kerr.ErrorForCode(r.Groups[0].ErrorCode), r.Groups[0].ErrorMessage != nil)
		}
	}
}

// list returns when the broker has read its groups, which are so many.
func (a *asking) list(many int) {
	a.again(fmt.Sprintf("seeing %d groups", many), func() bool {
		listed, err := kadm.NewClient(a.client).ListGroups(a.ctx)
		if err != nil || len(listed) < many {
			return false
		}
		for _, g := range listed.Sorted() {
			a.say("%s is a %s group, empty %t", g.Group, g.GroupType, g.State == "Empty")
		}
		return true
	})
}
