package kafka

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// findCoordinatorAPI is FindCoordinator.
//
//	v1 the type of the key, and a message
//	v3 flexible
//	v4 several keys (KIP-699)
//	v6 share partitions (KIP-932)
//
// There are coordinators of groups. For the rest is answered what clients make
// the best of:
//
//   - A transactional id gets UNSUPPORTED_VERSION, which Java's producer takes
//     for final: it fails at once, with the message, and not after a minute.
//     librdkafka's tries on until its time is over with every code but that of
//     a refused authorization, which would have people look for access lists.
//   - A share partition is asked for by brokers only; it gets
//     COORDINATOR_NOT_AVAILABLE.
func findCoordinatorAPI() *api {
	return decoded(api{key: 10, name: "FindCoordinator", min: 0, max: 6, flexibleFrom: 3}, new(coordinatorFinder).serve,
		`key:string@0-3 type:int8@1+ keys:[string]@4+`)
}

// The types of keys.
const (
	groupCoordinator       int8 = 0
	transactionCoordinator int8 = 1
	shareCoordinator       int8 = 2
)

// shareCoordinatorSince is the version from which share partitions are asked for.
const shareCoordinatorSince = 6

// coordinatorFinder tells the first that comes in vain to the log.
type coordinatorFinder struct {
	transaction sync.Once
}

func (f *coordinatorFinder) serve(ctx context.Context, b *Backend, c *Caller, q *kmsg.FindCoordinatorRequest) *kmsg.FindCoordinatorResponse {
	response := kmsg.NewPtrFindCoordinatorResponse()
	if q.Version < 4 {
		at, refused := f.find(ctx, b, c, q, q.CoordinatorKey)
		response.NodeID, response.Host, response.Port = at.node, at.Host, at.Port
		response.ErrorCode, response.ErrorMessage = refused.Outcome()
		return response
	}
	for _, key := range q.CoordinatorKeys {
		answer := kmsg.NewFindCoordinatorResponseCoordinator()
		at, refused := f.find(ctx, b, c, q, key)
		answer.Key, answer.NodeID, answer.Host, answer.Port = key, at.node, at.Host, at.Port
		answer.ErrorCode, answer.ErrorMessage = refused.Outcome()
		response.Coordinators = append(response.Coordinators, answer)
	}
	return response
}

// coordinatorAt is a broker as the clients of a listener reach it.
type coordinatorAt struct {
	node int32
	metadata.Endpoint
}

// nowhere is what is answered with a refusal.
var nowhere = coordinatorAt{-1, metadata.Endpoint{Port: -1}}

func (f *coordinatorFinder) find(ctx context.Context, b *Backend, c *Caller, q *kmsg.FindCoordinatorRequest, key string) (coordinatorAt, *refusal.Refusal) {
	switch kind := q.CoordinatorType; {
	case kind == groupCoordinator:
		return findGroup(ctx, b, c, key)
	case kind == transactionCoordinator:
		f.transaction.Do(func() {
			b.Log.Warn("a client asks for the coordinator of a transactional id, and there are no transactions on this broker yet",
				"client", c.ClientID, "transactional.id", key)
		})
		return nowhere, refusal.New(kerr.UnsupportedVersion, "there are no transactions on this broker yet; a producer without transactional.id is served")
	case kind != shareCoordinator:
		return nowhere, refusal.New(kerr.InvalidRequest, "coordinator type %d is unknown; 0 is for groups, 1 for transactions and 2 for share partitions", kind)
	case q.Version < shareCoordinatorSince:
		return nowhere, refusal.New(kerr.InvalidRequest, "coordinators of share partitions are asked for from version %d on", shareCoordinatorSince)
	case !isSharePartition(key):
		return nowhere, refusal.New(kerr.InvalidRequest, "%q is not a share partition, which is written group:topicId:partition", key)
	}
	return nowhere, refusal.New(kerr.CoordinatorNotAvailable, "there are no share groups on this broker yet")
}

func findGroup(ctx context.Context, b *Backend, c *Caller, group string) (coordinatorAt, *refusal.Refusal) {
	node, refused := b.Groups.Find(ctx, group)
	if refused != nil {
		return nowhere, refused
	}
	broker, ok := b.Controller.Image().Broker(node)
	if !ok {
		return nowhere, refusal.New(kerr.CoordinatorNotAvailable, "broker %d, which coordinates group %q, is not here", node, group)
	}
	at, ok := broker.Endpoint(c.Listener.Name)
	if !ok {
		return nowhere, refusal.New(kerr.CoordinatorNotAvailable, "broker %d, which coordinates group %q, has no listener %s", node, group, c.Listener.Name)
	}
	return coordinatorAt{node, at}, nil
}

// isSharePartition recognizes group:topicId:partition. The group may have
// colons of its own.
func isSharePartition(key string) bool {
	rest, partition, ok := cutLast(key)
	if n, err := strconv.ParseInt(partition, 10, 32); !ok || err != nil || n < 0 {
		return false
	}
	group, topic, ok := cutLast(rest)
	_, err := metadata.ParseTopicID(topic)
	return ok && strings.TrimSpace(group) != "" && err == nil
}

func cutLast(s string) (before, after string, ok bool) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}
