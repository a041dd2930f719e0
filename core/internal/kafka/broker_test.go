package kafka

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/coordinator"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/partition/partitiontest"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/replication"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testBroker is a broker with a fake log, strategy and controller behind the
// real protocol, on a real socket.
type testBroker struct {
	*Server
	backend     *Backend
	coordinator *coordinator.Coordinator
	engine      *partitiontest.Engine
	strategy    *partitiontest.Strategy
	addr        string
	log         *lockedBuffer
	// decompress is franz-go's unless an option sets another.
	decompress partition.Decompress
	// clock is that of requests.
	clock clock.Clock
}

type testOption func(*config.Broker, *testBroker)

func newTestBroker(t testing.TB, options ...testOption) *testBroker {
	t.Helper()
	b := config.Default()
	b.NodeID, b.LogDirs = 1, []string{t.TempDir()}
	tb := &testBroker{engine: &partitiontest.Engine{}, strategy: &partitiontest.Strategy{}, log: &lockedBuffer{}, decompress: decompress, clock: clock.Real()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	tb.addr = listener.Addr().String()
	for _, o := range options {
		o(&b, tb)
	}
	log := hclog.New(&hclog.LoggerOptions{Output: tb.log, Level: hclog.Debug})
	registry := partition.NewRegistry(partition.Options{
		Config: &b, Engine: tb.engine, Strategies: map[string]replication.Strategy{"isr": tb.strategy},
		Decompress: tb.decompress, Compress: compress, Clock: clock.Real(), Log: log,
	})
	require.NoError(t, registry.Mount(t.Context(), "cluster"))
	at := listener.Addr().(*net.TCPAddr)
	controller := newPlanner(&b, metadata.Broker{ID: b.NodeID, Epoch: 1, Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: at.IP.String(), Port: int32(at.Port)},
	}}, func(old, next *metadata.Image) error {
		err := registry.Apply(old, next)
		if tb.coordinator != nil {
			err = errors.Join(err, tb.coordinator.Apply(old, next))
		}
		return err
	})
	tb.backend = &Backend{Config: &b, Controller: controller, Partitions: registry, Clock: tb.clock, Log: log}
	tb.coordinator = newCoordinator(t, tb.backend)
	tb.backend.Groups = tb.coordinator
	tb.Server = NewServer(tb.backend)
	served := make(chan error, 1)
	of := config.Listener{Name: "PLAINTEXT", Protocol: "PLAINTEXT"}
	go func() { served <- tb.Serve(context.Background(), listener, of) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, tb.Shutdown(ctx))
		require.NoError(t, <-served)
		require.NoError(t, registry.Close(ctx))
		require.NoError(t, tb.engine.Close())
	})
	return tb
}

func (b *testBroker) create(t testing.TB, topic string, partitions int32, configs map[string]string) metadata.TopicID {
	t.Helper()
	results := b.backend.Controller.CreateTopics(context.Background(), []metadata.NewTopic{
		{Name: topic, Partitions: partitions, ReplicationFactor: 1, Configs: configs},
	}, false)
	require.Nil(t, results[0].Refusal)
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

// decompress and compress are franz-go's codecs.
func decompress(attribute int8, dst, src []byte, budget int) ([]byte, error) {
	out, err := kgo.DefaultDecompressor().Decompress(src, kgo.CompressionCodecType(attribute))
	switch {
	case err != nil:
		return nil, codec.ErrCorrupt.With("%v", err)
	case len(out) > budget:
		return nil, codec.ErrOverBudget
	}
	return append(dst, out...), nil
}

func compress(attribute int8, dst, src []byte, _ int) ([]byte, error) {
	codecs := []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}
	compressor, err := kgo.DefaultCompressor(codecs[attribute])
	if err != nil {
		return nil, err
	}
	var buffer bytes.Buffer
	out, _ := compressor.Compress(&buffer, src)
	return append(dst, out...), nil
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
