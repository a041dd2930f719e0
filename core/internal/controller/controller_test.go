package controller

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// firstReplica is a strategy that elects the first replica.
type firstReplica struct{ replication.Strategy }

func (firstReplica) Elect(_ context.Context, r replication.Record, _ replication.Liveness) (replication.Record, error) {
	r.Version, r.LeaderEpoch, r.Leader = r.Version+1, r.LeaderEpoch+1, r.Replicas[0]
	return r, nil
}

func optionsFor(f *fakeElection) Options {
	broker := config.Default()
	broker.NodeID = 1
	return Options{
		Config: &broker, Election: f, Strategies: map[string]replication.Strategy{"isr": firstReplica{}},
		Endpoints: []metadata.Endpoint{{Listener: "PLAINTEXT", Host: "localhost", Port: 9092}},
		Random:    rand.Reader, Clock: clock.Real(), Log: hclog.NewNullLogger(),
	}
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// started is a controller that the test has to stop.
func started(t *testing.T, o Options) *Controller {
	t.Helper()
	c := New(o)
	require.NoError(t, c.Start(within(t)))
	return c
}

// running is a controller that stops with the test.
func running(t *testing.T, o Options) *Controller {
	t.Helper()
	c := started(t, o)
	t.Cleanup(func() { stop(t, c) })
	return c
}

func stop(t *testing.T, c *Controller) {
	t.Helper()
	require.NoError(t, c.Stop(within(t)))
}

func one(name string) []metadata.NewTopic {
	return []metadata.NewTopic{{Name: name, Partitions: 1, ReplicationFactor: -1}}
}

func requireCode(t *testing.T, want *kerr.Error, r metadata.TopicResult) {
	t.Helper()
	require.NotNil(t, r.Refusal, "%+v", r)
	require.Equal(t, want.Code, r.Refusal.Code(), r.Refusal.Message)
}

func TestStartNamesTheClusterOnceAndRegistersEachTime(t *testing.T) {
	f := newFakeElection()
	require.Error(t, New(optionsFor(f)).Ready())
	first := started(t, optionsFor(f))
	require.NoError(t, first.Ready())
	id := first.Image().ClusterID()
	require.Len(t, id, 22)
	b, found := first.Image().Broker(1)
	require.True(t, found)
	require.Nil(t, first.CreateTopics(within(t), one("orders"), false)[0].Refusal)
	stop(t, first)

	f.lead(1, 2)
	second := running(t, optionsFor(f))
	require.Equal(t, id, second.Image().ClusterID())
	again, _ := second.Image().Broker(1)
	require.Greater(t, again.Epoch, b.Epoch)
	orders, _ := second.Image().Topic("orders")
	require.EqualValues(t, 1, orders.Partitions[0].Record.LeaderEpoch, "a new incarnation leads under a new epoch")
	require.NoError(t, second.Ready())
}

// upWhenIdle is the context of a caller whose time is up when nothing runs any
// more, and not before.
type upWhenIdle struct{ context.Context }

func (u upWhenIdle) Done() <-chan struct{} {
	synctest.Wait()
	up := make(chan struct{})
	close(up)
	return up
}

func (upWhenIdle) Err() error { return context.DeadlineExceeded }

func TestAStopThatIsDoneIsInTimeThoughTheTimeIsUp(t *testing.T) {
	for range 20 { // each time, not by luck
		synctest.Test(t, func(t *testing.T) {
			c := started(t, optionsFor(newFakeElection()))
			require.NoError(t, c.Stop(upWhenIdle{t.Context()}))
		})
	}
}

func TestStartWaitsForALogThatTakesNoChange(t *testing.T) {
	f := newFakeElection()
	before := f.appended()
	f.set(func() { f.shown, f.lost = 0, election.ErrStalled.With("the disk is full") })
	c := New(optionsFor(f))
	ended := make(chan error, 1)
	go func() { ended <- c.Start(within(t)) }()
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return p.tainted == 1 }))
	require.Equal(t, before+1, f.appended())
	f.set(func() {
		f.shown = -1
		f.leadership.Epoch++
	})
	require.NoError(t, <-ended)
	require.NoError(t, c.Ready())
	stop(t, c)
}

func TestStartWaitsUntilALeaderHasCaughtUp(t *testing.T) {
	f := newFakeElection()
	stop(t, started(t, optionsFor(f)))
	f.set(func() {
		f.shown = 1
		f.leadership.Epoch = 2
	})
	c := New(optionsFor(f))
	ended := make(chan error, 1)
	go func() { ended <- c.Start(within(t)) }()
	require.NoError(t, c.wait(within(t), func(p *progress) bool { return p.applied == 1 }))
	_, err := c.leadingEpoch()
	require.ErrorIs(t, err, errNotController, "it leads, but has not applied what was committed before")
	require.Error(t, c.Ready())
	select {
	case err := <-ended:
		t.Fatalf("Start returned with %v", err)
	default:
	}
	f.set(func() { f.shown = -1 })
	require.NoError(t, <-ended)
	stop(t, c)
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	f := newFakeElection()
	f.lead(2, 1)
	c := New(optionsFor(f))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := c.Start(ctx)
	require.ErrorContains(t, err, "no controller was elected")
	require.Equal(t, module.Retriable, module.ClassOf(err))
}

func TestSubscribersSeeEachImageBeforeItsAnswer(t *testing.T) {
	c := running(t, optionsFor(newFakeElection()))
	require.Nil(t, c.CreateTopics(within(t), one("before"), false)[0].Refusal)
	var images []*metadata.Image
	first := true
	require.NoError(t, c.Subscribe(func(old, new *metadata.Image) error {
		if first {
			require.Zero(t, old.Index())
			first = false
			images = append(images, new)
			return nil
		}
		assert.Same(t, images[len(images)-1], old, "images follow each other")
		assert.Same(t, old, c.Image(), "the image is shown when subscribers have seen it")
		images = append(images, new)
		return errors.New("a subscriber's trouble is its own")
	}))
	for n := range 3 {
		require.Nil(t, c.CreateTopics(within(t), one(fmt.Sprint("after", n)), false)[0].Refusal)
		require.Len(t, images, n+2)
		require.Same(t, images[n+1], c.Image())
	}
}

func TestSubscribeReturnsTheErrorOfTheFirstCall(t *testing.T) {
	c := running(t, optionsFor(newFakeElection()))
	calls := 0
	require.ErrorContains(t, c.Subscribe(func(_, _ *metadata.Image) error {
		calls++
		return errors.New("no disk")
	}), "no disk")
	require.Nil(t, c.CreateTopics(within(t), one("a"), false)[0].Refusal)
	require.Equal(t, 1, calls)
}
