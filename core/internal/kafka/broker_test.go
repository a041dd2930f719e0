package kafka

import (
	"bytes"
	"context"
	"crypto/rand"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/partition/partitiontest"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/replication"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testBroker is a broker with a fake log, strategy and controller behind the
// real protocol, on a real socket.
type testBroker struct {
	*Server
	backend  *Backend
	engine   *partitiontest.Engine
	strategy *partitiontest.Strategy
	addr     string
	log      *lockedBuffer
}

type testOption func(*config.Broker, *testBroker)

func newTestBroker(t testing.TB, options ...testOption) *testBroker {
	t.Helper()
	b := config.Default()
	b.NodeID, b.LogDirs = 1, []string{t.TempDir()}
	tb := &testBroker{engine: &partitiontest.Engine{}, strategy: &partitiontest.Strategy{}, log: &lockedBuffer{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	tb.addr = listener.Addr().String()
	for _, o := range options {
		o(&b, tb)
	}
	log := hclog.New(&hclog.LoggerOptions{Output: tb.log, Level: hclog.Debug})
	registry := partition.NewRegistry(partition.Options{
		Config: &b, Engine: tb.engine, Strategies: map[string]replication.Strategy{"isr": tb.strategy},
		Decompress: noCodec, Clock: clock.Real(), Log: log,
	})
	require.NoError(t, registry.Mount(t.Context(), "cluster"))
	controller := newFakeController(t, &b, registry, listener.Addr().(*net.TCPAddr))
	tb.backend = &Backend{Config: &b, Controller: controller, Partitions: registry, Clock: clock.Real(), Log: log}
	tb.Server = NewServer(tb.backend)
	served := make(chan error, 1)
	of := config.Listener{Name: "PLAINTEXT", Protocol: "PLAINTEXT"}
	go func() { served <- tb.Serve(context.Background(), listener, of) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, tb.Shutdown(ctx))
		require.NoError(t, <-served)
		require.NoError(t, registry.Close(ctx))
	})
	return tb
}

func (b *testBroker) create(t testing.TB, topic string, partitions int32, configs map[string]string) metadata.TopicID {
	t.Helper()
	results := b.backend.Controller.CreateTopics(context.Background(), []metadata.NewTopic{
		{Name: topic, Partitions: partitions, ReplicationFactor: 1, Configs: configs},
	}, false)
	require.Nil(t, results[0].Failure)
	return results[0].ID
}

func (b *testBroker) partition(t testing.TB, topic string, number int32) *partition.Partition {
	t.Helper()
	of, ok := b.backend.Partitions.TopicNamed(topic)
	require.True(t, ok)
	p, exists := of.Partition(number)
	require.True(t, exists)
	return p
}

func (b *testBroker) client(t testing.TB, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	c, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(b.addr)}, options...)...)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func noCodec(int8, []byte, []byte, int) ([]byte, error) { return nil, codec.ErrCorrupt }

// fakeController plans as the real one does and has no log.
type fakeController struct {
	rules    metadata.Rules
	registry *partition.Registry
	mu       sync.Mutex
	image    atomic.Pointer[metadata.Image]
	nextID   atomic.Int64
}

func newFakeController(t testing.TB, b *config.Broker, r *partition.Registry, at *net.TCPAddr) *fakeController {
	t.Helper()
	c := &fakeController{registry: r, rules: metadata.Rules{
		DefaultPartitions: 1, DefaultReplicationFactor: 1, Live: []int32{b.NodeID},
		Settle: func(map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, nil
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.Version, r.LeaderEpoch = r.Replicas[0], r.Version+1, r.LeaderEpoch+1
			return r, nil
		},
	}}
	c.image.Store(metadata.Empty())
	c.apply([]metadata.Record{&metadata.ClusterNamed{ClusterID: "cluster"}})
	c.apply(metadata.RegisterBroker(c.Image(), metadata.Broker{ID: b.NodeID, Epoch: 1, Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: at.IP.String(), Port: int32(at.Port)},
	}}))
	return c
}

func (c *fakeController) apply(records []metadata.Record) {
	old := c.image.Load()
	next := old
	for _, r := range records {
		var err error
		if next, err = metadata.Apply(next, next.Index()+1, r); err != nil {
			panic(err)
		}
	}
	if err := c.registry.Apply(old, next); err != nil {
		panic(err)
	}
	c.image.Store(next)
}

func (c *fakeController) do(plan func(*metadata.Image) metadata.Plan, dry bool) []metadata.TopicResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := plan(c.image.Load())
	if !dry {
		c.apply(p.Records)
	}
	return p.Results
}

func (c *fakeController) Image() *metadata.Image { return c.image.Load() }

func (c *fakeController) CreateTopics(ctx context.Context, topics []metadata.NewTopic, dry bool) []metadata.TopicResult {
	for i := range topics {
		if _, err := rand.Read(topics[i].ID[:]); err != nil {
			panic(err)
		}
	}
	return c.do(func(i *metadata.Image) metadata.Plan { return metadata.CreateTopics(ctx, i, c.rules, topics) }, dry)
}

func (c *fakeController) DeleteTopics(_ context.Context, topics []metadata.TopicRef) []metadata.TopicResult {
	return c.do(func(i *metadata.Image) metadata.Plan { return metadata.DeleteTopics(i, topics) }, false)
}

func (c *fakeController) CreatePartitions(ctx context.Context, asked []metadata.NewPartitions, dry bool) []metadata.TopicResult {
	return c.do(func(i *metadata.Image) metadata.Plan { return metadata.CreatePartitions(ctx, i, c.rules, asked) }, dry)
}

func (c *fakeController) AlterConfigs(_ context.Context, changes []metadata.ConfigChange, dry bool) []*metadata.Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	rules := c.rules
	rules.Configs = configRules()
	records, failures := metadata.AlterConfigs(c.Image(), rules, changes)
	if !dry {
		c.apply(records)
	}
	return failures
}

func (c *fakeController) AllocateProducerID(context.Context) (int64, error) {
	return c.nextID.Add(1), nil
}

func (c *fakeController) Quorum(context.Context) (election.Status, error) {
	return election.Status{Leadership: election.Leadership{Leader: 1, Epoch: 1}, Voters: []int32{1}, First: 1, Committed: c.Image().Index()}, nil
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
