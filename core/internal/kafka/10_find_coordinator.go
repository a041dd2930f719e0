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
// There are no coordinators yet. What is answered is what clients make the best
// of:
//
//   - A group gets COORDINATOR_NOT_AVAILABLE, as from a Kafka that is still
//     creating __consumer_offsets. Consumers that were given their partitions
//     look for a coordinator too, librdkafka's always, and go on without one;
//     any other error librdkafka hands to the application. (One that commits by
//     itself takes 45 s to close, whatever it was answered.) A consumer that
//     subscribes waits, since it takes the error for passing, so the broker's
//     log says once why.
//   - A transactional id gets UNSUPPORTED_VERSION, which Java's producer takes
//     for final: it fails at once, with the message, and not after a minute.
//     librdkafka's tries on until its time is over with every code but that of
//     a refused authorization, which would have people look for access lists.
//   - A share partition is asked for by brokers only; it gets what a group gets.
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

// coordinatorFinder tells the first of each kind that comes in vain to the log.
type coordinatorFinder struct {
	group, transaction sync.Once
}

func (f *coordinatorFinder) serve(_ context.Context, b *Backend, c *Caller, q *kmsg.FindCoordinatorRequest) *kmsg.FindCoordinatorResponse {
	response := kmsg.NewPtrFindCoordinatorResponse()
	if q.Version < 4 {
		response.NodeID, response.Port = -1, -1
		response.ErrorCode, response.ErrorMessage = f.find(b, c, q, q.CoordinatorKey).Outcome()
		return response
	}
	for _, key := range q.CoordinatorKeys {
		answer := kmsg.NewFindCoordinatorResponseCoordinator()
		answer.Key, answer.NodeID, answer.Port = key, -1, -1
		answer.ErrorCode, answer.ErrorMessage = f.find(b, c, q, key).Outcome()
		response.Coordinators = append(response.Coordinators, answer)
	}
	return response
}

func (f *coordinatorFinder) find(b *Backend, c *Caller, q *kmsg.FindCoordinatorRequest, key string) *refusal.Refusal {
	switch kind := q.CoordinatorType; {
	case kind == groupCoordinator:
		f.group.Do(func() {
			b.Log.Warn("a client asks for the coordinator of a group, and there are no groups on this broker yet: consumers that subscribe will wait, those that are given their partitions work",
				"client", c.ClientID, "group", key)
		})
		return refusal.New(kerr.CoordinatorNotAvailable, "there are no consumer groups on this broker yet")
	case kind == transactionCoordinator:
		f.transaction.Do(func() {
			b.Log.Warn("a client asks for the coordinator of a transactional id, and there are no transactions on this broker yet",
				"client", c.ClientID, "transactional.id", key)
		})
		return refusal.New(kerr.UnsupportedVersion, "there are no transactions on this broker yet; a producer without transactional.id is served")
	case kind != shareCoordinator:
		return refusal.New(kerr.InvalidRequest, "coordinator type %d is unknown; 0 is for groups, 1 for transactions and 2 for share partitions", kind)
	case q.Version < shareCoordinatorSince:
		return refusal.New(kerr.InvalidRequest, "coordinators of share partitions are asked for from version %d on", shareCoordinatorSince)
	case !isSharePartition(key):
		return refusal.New(kerr.InvalidRequest, "%q is not a share partition, which is written group:topicId:partition", key)
	}
	return refusal.New(kerr.CoordinatorNotAvailable, "there are no share groups on this broker yet")
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
