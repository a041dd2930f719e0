package coordinator

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

func TestAnAnswerWaitsForItsRecords(t *testing.T) {
	h := newHouse(t)
	h.strategy.AckDurable = true
	h.create("orders", 1)
	h.start()
	release := h.holdSyncs()
	first, second := h.commit("g", "orders", 1), h.commit("g", "orders", 2)
	// It has nothing to write, but tells of what is not committed yet.
	described := h.ask("g", &kmsg.DescribeGroupsRequest{Version: 6, Groups: []string{"g"}})
	require.False(t, first.isThere() || second.isThere() || described.isThere())
	release()
	require.Nil(t, committed(t, first))
	require.Nil(t, committed(t, second))
	require.Equal(t, "Empty", answerOf[*kmsg.DescribeGroupsResponse](t, described).Groups[0].State)
	require.EqualValues(t, 2, h.fetch("g", "orders"))
}

func TestAnswersAreDueInOrder(t *testing.T) {
	var p pipeline
	first, second, third := &written{open: 2}, &written{open: 1}, &written{}
	for i, w := range []*written{first, second, third} {
		q := &kmsg.HeartbeatRequest{Generation: int32(i)}
		w.answers = []answer{{asked: asked{request: q}}}
		p.add(w)
		p.advance()
	}
	p.committed(second)
	p.committed(first)
	require.Empty(t, p.takeDue(), "a batch of the first is not committed")
	p.committed(first)
	var order []int32
	for _, a := range p.takeDue() {
		order = append(order, a.request.(*kmsg.HeartbeatRequest).Generation)
	}
	require.Equal(t, []int32{0, 1, 2}, order)
	require.Empty(t, p.takeDue())
	require.Empty(t, p.waiting)
}

// failOnce makes the next append fail.
func (h *house) failOnce() {
	var failed atomic.Bool
	h.engine.FailAppend = func() error {
		if failed.Swap(true) {
			return nil
		}
		return storage.ErrFull
	}
}

// When the log takes no record nobody is answered from what it does not have.
func TestAfterAFailedAppendTheLogCounts(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	h.failOnce()
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 2)))
	h.serves()
	require.EqualValues(t, 1, h.fetch("g", "orders"), "what was not written is not told")
	require.Equal(t, kerr.CoordinatorNotAvailable, committed(t, h.commit("g", "orders", 3)), "it was tried just now")
	groups, kind := h.coordinator.List(kmsg.NewPtrListGroupsRequest())
	require.Nil(t, kind)
	require.Len(t, groups, 1)
	h.clock.Advance(reloadDelay)
	require.Nil(t, committed(t, h.commit("g", "orders", 4)))
	require.EqualValues(t, 4, h.fetch("g", "orders"))
}

// A disk that stays full is tried once a second by each partition, and groups are
// read and members keep their sessions meanwhile.
func TestWhileADiskIsFullGroupsAreRead(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	var tries atomic.Int64
	h.engine.FailAppend = func() error { tries.Add(1); return storage.ErrFull }
	for n := range int64(5) {
		require.NotNil(t, committed(t, h.commit("g", "orders", 2)))
		for range 10 {
			h.serves()
			require.EqualValues(t, 1, h.fetch("g", "orders"))
			require.Equal(t, kerr.CoordinatorNotAvailable, committed(t, h.commit("g", "orders", 2)))
		}
		require.Equal(t, n+1, tries.Load())
		h.clock.Advance(reloadDelay)
	}
	h.engine.FailAppend = nil
	require.Nil(t, committed(t, h.commit("g", "orders", 3)))
	require.EqualValues(t, 3, h.fetch("g", "orders"))
}

// What groups would write of themselves waits too: here that a topic is gone.
func TestWhileADiskIsFullNothingIsWrittenUnasked(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.create("gone", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	require.Nil(t, committed(t, h.commit("g", "gone", 1)))
	var tries atomic.Int64
	h.engine.FailAppend = func() error { tries.Add(1); return storage.ErrFull }
	require.Nil(t, h.planner.DeleteTopics(t.Context(), []metadata.TopicRef{{Name: "gone"}})[0].Refusal)
	for n := range int64(5) {
		h.serves()
		require.EqualValues(t, 1, h.fetch("g", "orders"))
		require.Equal(t, n+1, tries.Load())
		h.create(fmt.Sprint("other-", n), 1)
		require.EqualValues(t, 1, h.fetch("g", "orders"))
		require.Equal(t, n+1, tries.Load())
		h.clock.Advance(reloadDelay + time.Millisecond)
		require.Equal(t, n+2, tries.Load(), "the tick that was put off")
	}
	h.engine.FailAppend = nil
	h.serves()
	h.clock.Advance(reloadDelay + time.Millisecond)
	s := h.shard()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.False(t, s.appendsFail)
	require.Len(t, s.machine.List(kmsg.NewPtrListGroupsRequest()), 1)
}

// What an earlier machine wrote counts, though nobody was told that it is
// committed: as long as that is not decided there is no machine.
func TestALogWithRecordsThatAreNotCommittedIsNotReadYet(t *testing.T) {
	h := newHouse(t)
	h.strategy.AckDurable = true
	h.create("orders", 1)
	h.start()
	release := h.holdSyncs()
	undecided := h.commit("g", "orders", 5)
	h.failOnce()
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 6)))
	require.Equal(t, kerr.NotCoordinator, committed(t, undecided))
	for range 3 {
		require.Eventually(t, func() bool { return h.clock.timers() == 1 }, time.Minute, 100*time.Microsecond)
		h.clock.Advance(reloadDelay)
		require.Equal(t, kerr.CoordinatorLoadInProgress, committed(t, h.commit("g", "orders", 7)))
	}
	release()
	require.Eventually(t, func() bool {
		h.clock.Advance(reloadDelay)
		groups, kind := h.coordinator.List(kmsg.NewPtrListGroupsRequest())
		return kind == nil && len(groups) == 1
	}, time.Minute, time.Millisecond)
	require.EqualValues(t, 5, h.fetch("g", "orders"))
}

// What waits for others is told too, and by an error that it may try again.
func TestAFailedAppendOfOneIsToldToAll(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	h.assign = nil
	waits := h.join("other", "")
	id := answerOf[*kmsg.JoinGroupResponse](t, waits).MemberID
	leads := answerOf[*kmsg.JoinGroupResponse](t, h.join("other", id))
	require.Zero(t, leads.ErrorCode)
	second := answerOf[*kmsg.JoinGroupResponse](t, h.join("other", "")).MemberID
	waits = h.join("other", second)
	require.False(t, waits.isThere(), "it waits for the first to join")
	h.failOnce()
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 2)))
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.JoinGroupResponse](t, waits).ErrorCode)
}

// A group may be larger than what clients may write at a time, as long as a
// segment has room for it.
func TestALargeGroupIsNobodysTrouble(t *testing.T) {
	h := newHouse(t).start()
	h.create("orders", 1)
	id := answerOf[*kmsg.JoinGroupResponse](t, h.join("g", "")).MemberID
	generation := answerOf[*kmsg.JoinGroupResponse](t, h.join("g", id)).Generation
	require.Zero(t, answerOf[*kmsg.SyncGroupResponse](t, h.ask("g", assigning(id, generation, 2<<20))).ErrorCode)
	require.Nil(t, committed(t, h.commit("other", "orders", 2)))
}

// assigning is the SyncGroup of a leader that gives itself so many bytes.
func assigning(id string, generation int32, bytes int) *kmsg.SyncGroupRequest {
	kind, protocol := "consumer", "range"
	q := &kmsg.SyncGroupRequest{Version: 5, Group: "g", MemberID: id, Generation: generation, ProtocolType: &kind, Protocol: &protocol}
	q.GroupAssignment = []kmsg.SyncGroupRequestGroupAssignment{{MemberID: id, MemberAssignment: make([]byte, bytes)}}
	return q
}

// Records that are too large are their sender's trouble, who is told so that it
// does not send them again; the others try again.
func TestRecordsThatAreTooLarge(t *testing.T) {
	h := newHouse(t).start()
	id := answerOf[*kmsg.JoinGroupResponse](t, h.join("g", "")).MemberID
	generation := answerOf[*kmsg.JoinGroupResponse](t, h.join("g", id)).Generation
	waiting := answerOf[*kmsg.JoinGroupResponse](t, h.join("other", "")).MemberID
	answerOf[*kmsg.JoinGroupResponse](t, h.join("other", waiting))
	next := answerOf[*kmsg.JoinGroupResponse](t, h.join("other", "")).MemberID
	other := h.join("other", next)

	require.Equal(t, kerr.UnknownServerError.Code, answerOf[*kmsg.SyncGroupResponse](t, h.ask("g", assigning(id, generation, 5<<20))).ErrorCode)
	require.Equal(t, kerr.CoordinatorNotAvailable.Code, answerOf[*kmsg.JoinGroupResponse](t, other).ErrorCode)
}

// join is a JoinGroup of a consumer of the classic protocol.
func (h *house) join(groupID, member string) reply {
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType, q.MemberID = 9, groupID, "consumer", member
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = 10_000, 60_000
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Topics = []string{"orders"}
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: subscription.AppendTo(nil)}}
	return h.ask(groupID, q)
}
