package controller

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

func TestTopicsLiveAndDie(t *testing.T) {
	c := running(t, optionsFor(newFakeElection()))
	created := c.CreateTopics(within(t), []metadata.NewTopic{
		{Name: "a", Partitions: 2, ReplicationFactor: 1, Configs: map[string]string{"retention.ms": "5"}},
		{Name: "bad/name", Partitions: 2, ReplicationFactor: 1},
		{Name: "b", Partitions: 1, ReplicationFactor: 1, Configs: map[string]string{"retention": "5"}},
		{Name: "c", Partitions: 1, ReplicationFactor: 1, Configs: map[string]string{"replication.strategy": "none"}},
	}, false)
	require.Len(t, created, 4)
	require.Nil(t, created[0].Refusal)
	require.EqualValues(t, 2, created[0].Partitions)
	requireCode(t, kerr.InvalidTopicException, created[1])
	requireCode(t, kerr.InvalidConfig, created[2])
	require.Contains(t, created[2].Refusal.Message, "retention.ms")
	requireCode(t, kerr.InvalidConfig, created[3])
	require.Contains(t, created[3].Refusal.Message, "isr")

	grown := c.CreatePartitions(within(t), []metadata.NewPartitions{{Topic: "a", Count: 3}, {Topic: "z", Count: 3}}, false)
	require.Nil(t, grown[0].Refusal)
	requireCode(t, kerr.UnknownTopicOrPartition, grown[1])
	topic, _ := c.Image().Topic("a")
	require.Len(t, topic.Partitions, 3)
	require.Equal(t, created[0].ID, topic.ID)

	twice := c.DeleteTopics(within(t), []metadata.TopicRef{{ID: topic.ID}, {Name: "a"}})
	require.Len(t, twice, 1)
	requireCode(t, kerr.InvalidRequest, twice[0])
	deleted := c.DeleteTopics(within(t), []metadata.TopicRef{{ID: topic.ID}, {Name: "z"}})
	require.Nil(t, deleted[0].Refusal)
	require.Equal(t, "a", deleted[0].Name)
	requireCode(t, kerr.UnknownTopicOrPartition, deleted[1])
	again := c.CreateTopics(within(t), one("a"), false)
	require.Nil(t, again[0].Refusal)
	require.NotEqual(t, topic.ID, again[0].ID, "a topic that is created again is another")
}

func TestValidateOnlyWritesNothing(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	before := f.appended()
	require.Nil(t, c.CreateTopics(within(t), one("a"), true)[0].Refusal)
	requireCode(t, kerr.InvalidPartitions, c.CreateTopics(within(t), []metadata.NewTopic{{Name: "a", ReplicationFactor: 1}}, true)[0])
	require.Equal(t, before, f.appended())
	_, found := c.Image().Topic("a")
	require.False(t, found)
}

func TestOneTopicComesOfManyRequestsForIt(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	before := f.appended()
	results := make([]metadata.TopicResult, 100)
	var all sync.WaitGroup
	for n := range results {
		all.Go(func() {
			results[n] = c.CreateTopics(within(t), one("auto"), false)[0]
			_, found := c.Image().Topic("auto")
			assert.True(t, found, "whoever is answered finds the topic")
		})
	}
	all.Wait()
	require.Equal(t, before+1, f.appended())
	won := 0
	for _, r := range results {
		if r.Refusal == nil {
			won++
			continue
		}
		requireCode(t, kerr.TopicAlreadyExists, r)
	}
	require.Equal(t, 1, won)
}

func TestProducerIDsAreUnique(t *testing.T) {
	f := newFakeElection()
	c := started(t, optionsFor(f))
	var mu sync.Mutex
	given := map[int64]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				id, err := c.AllocateProducerID(within(t))
				assert.NoError(t, err)
				mu.Lock()
				assert.False(t, given[id], "id %d was given twice", id)
				given[id] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.Len(t, given, 2400)
	require.Less(t, f.appended(), 30, "ids are allocated in blocks")
	stop(t, c)
	next := running(t, optionsFor(f))
	id, err := next.AllocateProducerID(within(t))
	require.NoError(t, err)
	require.False(t, given[id], "id %d was given before the restart", id)
}

func TestAChangeOutlivesItsCaller(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.set(func() { f.shown = int64(len(f.entries)) })
	before := f.appended()
	ctx, giveUp := context.WithCancel(t.Context())
	answered := make(chan metadata.TopicResult, 1)
	go func() { answered <- c.CreateTopics(ctx, one("late"), false)[0] }()
	require.Eventually(t, func() bool { return f.appended() > before }, time.Minute, time.Millisecond)
	giveUp()
	requireCode(t, kerr.RequestTimedOut, <-answered)
	f.set(func() { f.shown = -1 })
	requireCode(t, kerr.TopicAlreadyExists, c.CreateTopics(within(t), one("late"), false)[0])
}

// upWhenDone is the context of a caller whose time is up when the change that it
// waits for is over, and not before.
type upWhenDone struct {
	context.Context
	c *Controller
	// looks counts them; the first is that for a turn.
	looks int
}

func (u *upWhenDone) Done() <-chan struct{} {
	if u.looks++; u.looks == 1 {
		return nil
	}
	u.c.turn <- struct{}{} // the change gives it back when it is over
	<-u.c.turn
	up := make(chan struct{})
	close(up)
	return up
}

func (u *upWhenDone) Err() error { return context.DeadlineExceeded }

func TestWhatIsDoneIsAnsweredThoughTheTimeIsUp(t *testing.T) {
	c := running(t, optionsFor(newFakeElection()))
	for n := range 20 {
		results := c.CreateTopics(&upWhenDone{Context: t.Context(), c: c}, one(fmt.Sprint("t", n)), false)
		require.Nil(t, results[0].Refusal)
	}
}

func TestNobodyChangesAnythingWithoutLeading(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.lead(2, 2)
	requireCode(t, kerr.NotController, c.CreateTopics(within(t), one("a"), false)[0])
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return p.leadership.Leader == 2 }))
	requireCode(t, kerr.NotController, c.DeleteTopics(within(t), []metadata.TopicRef{{Name: "a"}})[0])
	requireCode(t, kerr.NotController, c.CreatePartitions(within(t), []metadata.NewPartitions{{Topic: "a", Count: 2}}, false)[0])
	_, err := c.AllocateProducerID(within(t))
	require.Equal(t, module.Retriable, module.ClassOf(err))
	require.NoError(t, c.Ready(), "a follower is ready")
}

// An append without an answer may be written later. Planning goes on only
// under an epoch that knows what came of it.
func TestAnAppendWithoutAnAnswerStopsPlanning(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.set(func() {
		f.shown = int64(len(f.entries))
		f.lost = module.Retriablef("the module's process died")
	})
	requireCode(t, kerr.RequestTimedOut, c.CreateTopics(within(t), one("a"), false)[0])
	requireCode(t, kerr.NotController, c.CreateTopics(within(t), one("a"), false)[0])
	require.Error(t, c.Ready())

	f.set(func() {
		f.shown = -1
		f.leadership.Epoch++
	})
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return c.leads(p) }))
	requireCode(t, kerr.TopicAlreadyExists, c.CreateTopics(within(t), one("a"), false)[0])
	require.NoError(t, c.Ready())
}

// A log that takes no change for now says why to all that come, until it leads
// under another epoch.
func TestAStalledLogRefusesWithItsReason(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.set(func() {
		f.shown = int64(len(f.entries))
		f.lost = election.ErrStalled.With("the disk is full")
	})
	for range 2 {
		refused := c.CreateTopics(within(t), one("a"), false)[0]
		requireCode(t, kerr.KafkaStorageError, refused)
		require.Contains(t, refused.Refusal.Message, "the disk is full")
		require.ErrorIs(t, c.Ready(), election.ErrStalled)
		_, err := c.AllocateProducerID(within(t))
		require.ErrorIs(t, err, election.ErrStalled)
	}
	f.set(func() {
		f.shown = -1
		f.leadership.Epoch++
	})
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return c.leads(p) }))
	require.Nil(t, c.CreateTopics(within(t), one("b"), false)[0].Refusal)
	require.NoError(t, c.Ready())
	f.lead(2, 3)
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return p.leadership.Leader == 2 }))
	requireCode(t, kerr.NotController, c.CreateTopics(within(t), one("c"), false)[0])
}

func TestARecordThatIsNotUnderstoodStopsTheFollowing(t *testing.T) {
	f := newFakeElection()
	o := optionsFor(f)
	told := make(chan error, 1)
	o.Failed = func(err error) { told <- err }
	c := running(t, o)
	_, err := f.Append(within(t), 1, [][]byte{[]byte(`{"type":"future","version":3,"body":{}}`)})
	require.NoError(t, err)
	err = c.wait(within(t), func(*progress) bool { return false })
	require.ErrorContains(t, err, `"future"`)
	require.ErrorContains(t, c.Ready(), `"future"`)
	requireCode(t, kerr.UnknownServerError, c.CreateTopics(within(t), one("a"), false)[0])
	select {
	case err := <-told:
		require.ErrorContains(t, err, `"future"`)
	case <-within(t).Done():
		t.Fatal("the broker is not told")
	}
}

func TestFollowingGoesOnAfterAnErrorThatPasses(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.set(func() { f.followed = module.Retriablef("the module's process died") })
	require.Nil(t, c.CreateTopics(within(t), one("a"), false)[0].Refusal)
}

func TestSnapshotsTakeThePlaceOfTheLog(t *testing.T) {
	f := newFakeElection()
	o := optionsFor(f)
	o.SnapshotRecords = 5
	c := started(t, o)
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		require.Nil(t, c.CreateTopics(within(t), one(name), false)[0].Refusal)
	}
	at := <-f.saved
	require.GreaterOrEqual(t, at, int64(5))
	stop(t, c)

	f.lead(1, 2)
	again := running(t, optionsFor(f))
	require.Equal(t, 8, again.Image().TopicCount())
	require.Equal(t, c.Image().ClusterID(), again.Image().ClusterID())
}

func TestASnapshotIsDueWhenTheLogHasGrownByItsSize(t *testing.T) {
	var s snapshotter
	o := &Options{SnapshotRecords: 10, SnapshotBytes: 1000}
	s.restored(5000)
	require.False(t, s.grew(20, 2000, o), "smaller than the last snapshot")
	require.True(t, s.grew(1, 3000, o))
	require.False(t, s.grew(1, 9000, o), "one is being written")
	s.wrote(100)
	require.True(t, s.grew(0, 0, o), "what came meanwhile counts")
	s.wrote(0)
	require.False(t, s.grew(9, 999, o))
	require.True(t, s.grew(1, 0, o))
}
