package partition

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition/partitiontest"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// house is a registry, and images for it to follow.
type house struct {
	t        *testing.T
	engine   *partitiontest.Engine
	config   config.Broker
	registry *Registry
	clock    *clock.Fake
	image    *metadata.Image
	rules    metadata.Rules
	created  byte
	log      bytes.Buffer
	// failed is what the registry said when no directory was left.
	failed []error
}

func newHouse(t *testing.T, dirs int) *house {
	h := &house{t: t, engine: &partitiontest.Engine{}, config: config.Default(), image: metadata.Empty(), clock: clock.NewFake(time.UnixMilli(nowMs))}
	h.config.NodeID = 1
	h.config.LogDirs = nil
	for range dirs {
		h.config.LogDirs = append(h.config.LogDirs, t.TempDir())
	}
	h.rules = metadata.Rules{
		DefaultPartitions: 1, DefaultReplicationFactor: 1, Live: []int32{1},
		Settle: func(map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, nil
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.Version, r.LeaderEpoch = r.Replicas[0], r.Version+1, r.LeaderEpoch+1
			return r, nil
		},
	}
	h.plan(metadata.Plan{Records: metadata.RegisterBroker(h.image, metadata.Broker{ID: 1, Epoch: 1})})
	h.start()
	t.Cleanup(func() {
		require.NoError(t, h.registry.Close(context.Background()))
		require.NoError(t, h.engine.Close())
	})
	return h
}

func (h *house) start() {
	h.t.Helper()
	h.registry = NewRegistry(Options{
		Config: &h.config, Engine: h.engine, Strategies: map[string]replication.Strategy{"isr": &partitiontest.Strategy{}},
		Decompress: reverse, Compress: reverseBack, Clock: h.clock, Log: hclog.New(&hclog.LoggerOptions{Output: &h.log}),
		Failed: func(err error) { h.failed = append(h.failed, err) },
	})
	require.NoError(h.t, h.registry.Mount(context.Background(), "cluster"))
	for _, r := range metadata.KnowDirectories(h.image, 1, h.registry.Directories(h.image)) {
		next, err := metadata.Apply(h.image, h.image.Index()+1, r)
		require.NoError(h.t, err)
		h.image = next
	}
	require.NoError(h.t, h.registry.Apply(nil, h.image))
}

func (h *house) plan(p metadata.Plan) {
	h.t.Helper()
	for _, r := range p.Results {
		require.Nil(h.t, r.Refusal)
	}
	next := h.image
	for _, r := range p.Records {
		var err error
		next, err = metadata.Apply(next, next.Index()+1, r)
		require.NoError(h.t, err)
	}
	if h.registry != nil {
		require.NoError(h.t, h.registry.Apply(h.image, next))
	}
	h.image = next
}

func (h *house) create(topic string, partitions int32) {
	h.t.Helper()
	h.created++
	h.plan(metadata.CreateTopics(context.Background(), h.image, h.rules, []metadata.NewTopic{
		{Name: topic, ID: metadata.TopicID{h.created}, Partitions: partitions, ReplicationFactor: 1},
	}))
}

func (h *house) remove(topic string) {
	h.t.Helper()
	h.plan(metadata.DeleteTopics(h.image, []metadata.TopicRef{{Name: topic}}))
}

func (h *house) partition(topic string, number int32) *Partition {
	h.t.Helper()
	of, ok := h.registry.TopicNamed(topic)
	require.True(h.t, ok)
	p, exists := of.Partition(number)
	require.True(h.t, exists)
	require.NotNil(h.t, p)
	return p
}

func TestPartitionsFollowTheImage(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 2)
	mustAppend(t, h.partition("orders", 1), values("a"))
	of, ok := h.registry.TopicByID(metadata.TopicID{1})
	require.True(t, ok)
	_, exists := of.Partition(2)
	require.False(t, exists)

	h.plan(metadata.CreatePartitions(context.Background(), h.image, h.rules, []metadata.NewPartitions{{Topic: "orders", Count: 5}}))
	mustAppend(t, h.partition("orders", 4), values("a"))
	require.Equal(t, int64(1), h.partition("orders", 1).LogEndOffset())
	stats := h.registry.Stats()
	require.Equal(t, Stats{Topics: 1, Partitions: 5, Bytes: 2 * int64(len(values("a"))), EndOffsets: 2, Directories: 1}, stats)

	gone := h.partition("orders", 1)
	h.remove("orders")
	_, ok = h.registry.TopicNamed("orders")
	require.False(t, ok)
	_, ok = h.registry.TopicByID(metadata.TopicID{1})
	require.False(t, ok)
	require.Len(t, h.engine.Removed, 5)
	a, _ := gone.Append(values("a"), 1, nil, 0)
	require.Equal(t, kerr.UnknownTopicOrPartition, a.Refusal.Kind, "whoever holds it still is told")
}

func TestATopicCreatedAgainStartsClean(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	mustAppend(t, h.partition("orders", 0), values("a"))
	h.remove("orders")
	h.create("orders", 1)
	require.Zero(t, h.partition("orders", 0).LogEndOffset())
}

// What the broker finds at a start of an earlier topic is not known to be deleted:
// the metadata may have lost its end. When a topic of the name is created, the
// engine sets it aside, in its directory.
func TestALogOfAnEarlierTopicIsNotDeletedAtTheStart(t *testing.T) {
	h := newHouse(t, 3)
	dirs := h.config.LogDirs
	h.create("first", 1)
	h.create("orders", 1)
	h.create("stray", 1)
	earlier, stray := h.partition("orders", 0).id, h.partition("stray", 0).id
	require.Equal(t, dirs[1], h.partition("orders", 0).Dir())
	mustAppend(t, h.partition("orders", 0), values("a"))
	mustAppend(t, h.partition("stray", 0), values("a"))
	require.NoError(t, h.registry.Close(context.Background()))
	h.registry = nil
	h.remove("orders")
	h.remove("stray")
	h.start()
	h.create("orders", 1)
	require.Zero(t, h.partition("orders", 0).LogEndOffset())
	require.Equal(t, dirs[1], h.partition("orders", 0).Dir(), "where the engine finds the earlier one")
	h.create("stray", 1)
	require.Equal(t, dirs[2], h.partition("stray", 0).Dir())
	require.Empty(t, h.engine.Removed)
	for _, id := range []storage.ID{earlier, stray} {
		require.NotNil(t, h.engine.Log(id))
	}
	h.remove("orders")
	require.Len(t, h.engine.Removed, 1, "what is deleted through the metadata is")
	require.NotNil(t, h.engine.Log(earlier))
}

func TestLogsStayWhereTheyAreAndNewOnesGoWhereThereAreFewest(t *testing.T) {
	h := newHouse(t, 3)
	h.create("orders", 9)
	perDir := func() map[string]int {
		counts := make(map[string]int)
		for _, topic := range h.registry.Topics() {
			for _, p := range topic.All() {
				counts[p.Dir()]++
			}
		}
		return counts
	}
	for _, dir := range h.config.LogDirs {
		require.Equal(t, 3, perDir()[dir])
	}
	before := make(map[int32]string)
	for i := range int32(9) {
		before[i] = h.partition("orders", i).Dir()
	}
	require.NoError(t, h.registry.Close(context.Background()))
	h.start()
	for i := range int32(9) {
		require.Equal(t, before[i], h.partition("orders", i).Dir())
	}
	h.create("more", 3)
	for _, dir := range h.config.LogDirs {
		require.Equal(t, 4, perDir()[dir])
	}
}

func TestAStrategyThatIsNotThereLeavesThePartitionOffline(t *testing.T) {
	h := newHouse(t, 1)
	h.rules.Settle = func(map[string]string) (metadata.Settled, error) {
		return metadata.Settled{Strategy: "chain", MinInSync: 1}, nil
	}
	h.create("orders", 1)
	p := h.partition("orders", 0)
	require.ErrorContains(t, p.Failure(), `"chain"`)
	a, _ := p.Append(values("a"), 1, nil, 0)
	require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
	require.Equal(t, 1, h.registry.Stats().Offline)
}

func TestFilesAreBoundedAndLentOut(t *testing.T) {
	files := NewFiles(2)
	owner := &Partition{}
	dir := t.TempDir()
	file := func(i int) storage.File {
		path := fmt.Sprintf("%s/%d", dir, i)
		require.NoError(t, os.WriteFile(path, []byte{byte(i)}, 0o600))
		return storage.File{ID: uint64(i), Path: path}
	}
	readable := func(f *OpenFile) bool {
		_, err := f.ReadAt(make([]byte, 1), 0)
		return err == nil
	}
	lent, err := files.Acquire(owner, file(0))
	require.NoError(t, err)
	same, err := files.Acquire(owner, file(0))
	require.NoError(t, err)
	require.Same(t, lent, same)
	same.Release()
	for i := 1; i < 4; i++ {
		other, err := files.Acquire(owner, file(i))
		require.NoError(t, err)
		other.Release()
	}
	require.Equal(t, 2, files.open.Len())
	require.True(t, readable(lent), "a file that is lent out stays open")
	lent.Release()
	require.False(t, readable(lent))

	lent, err = files.Acquire(owner, file(4))
	require.NoError(t, err)
	files.DropOwner(owner)
	require.Zero(t, files.open.Len())
	require.True(t, readable(lent))
	lent.Release()
	require.False(t, readable(lent))
	_, err = files.Acquire(owner, storage.File{ID: 9, Path: dir + "/none"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func BenchmarkLookup(b *testing.B) {
	r := NewRegistry(Options{Clock: clock.Real()})
	for i := range 10_000 {
		name := fmt.Sprintf("topic-%d", i)
		r.byName.Store(name, &Topic{Name: name})
	}
	name := []byte("topic-5000") // as in a request
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, ok := r.Topic(name); !ok {
				b.Fatal("not found")
			}
		}
	})
}
