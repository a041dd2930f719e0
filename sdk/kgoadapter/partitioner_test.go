package kgoadapter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/kgoadapter"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// byLength puts a key into the partition of its length, and records without one
// into the last.
type byLength struct{ seen []partitioner.Batch }

func (b *byLength) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	kept := batch
	kept.Sizes = append([]int32(nil), batch.Sizes...)
	b.seen = append(b.seen, kept)
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			return batch.Topic.Partitions - 1
		}
		return int32(len(key)) % batch.Topic.Partitions
	})
}

type assignFunc func(ctx context.Context, batch partitioner.Batch) ([]int32, error)

func (f assignFunc) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return f(ctx, batch)
}

func cluster(t *testing.T, topic string, partitions int32) []string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, topic))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c.ListenAddrs()
}

func client(t *testing.T, addresses []string, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	c, err := kgo.NewClient(append(options, kgo.SeedBrokers(addresses...))...)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func quiet() kgoadapter.Option { return kgoadapter.Log(hclog.NewNullLogger()) }

func TestClientProducesWhereTheModuleSays(t *testing.T) {
	module := &byLength{}
	p := kgoadapter.Partitioner(module, kgoadapter.Timeout(time.Minute)) // no fallback, however slow the machine is
	c := client(t, cluster(t, "t", 7), kgo.DefaultProduceTopic("t"), kgo.RecordPartitioner(p))
	for key, want := range map[string]int32{"": 0, "a": 1, "abcdef": 6, "abcdefgh": 1} {
		produced, err := c.ProduceSync(t.Context(), &kgo.Record{Key: []byte(key), Value: []byte("v")}).First()
		require.NoError(t, err)
		require.Equal(t, want, produced.Partition, "key %q", key)
	}
	produced, err := c.ProduceSync(t.Context(), &kgo.Record{Value: []byte("v")}).First()
	require.NoError(t, err)
	require.Equal(t, int32(6), produced.Partition)
	require.Len(t, module.seen, 5)
	for _, batch := range module.seen {
		require.Equal(t, partitioner.Topic{Name: "t", Partitions: 7, Epoch: 7}, batch.Topic)
	}
}

func TestModuleIsToldTheSize(t *testing.T) {
	module := &byLength{}
	p := kgoadapter.Partitioner(module).ForTopic("t")
	p.Partition(&kgo.Record{Value: make([]byte, 100)}, 3)
	p.Partition(&kgo.Record{
		Key: make([]byte, 10), Value: make([]byte, 100), Headers: []kgo.RecordHeader{{Key: "12345", Value: make([]byte, 20)}},
	}, 3)
	require.Equal(t, []int32{116}, module.seen[0].Sizes)
	require.Equal(t, []int32{151}, module.seen[1].Sizes)
}

func TestRecordsWithKeysAreConsistent(t *testing.T) {
	p := kgoadapter.Partitioner(&byLength{}).ForTopic("t")
	require.True(t, p.RequiresConsistency(&kgo.Record{Key: []byte("a")}))
	require.True(t, p.RequiresConsistency(&kgo.Record{Key: []byte{}}))
	require.False(t, p.RequiresConsistency(&kgo.Record{}))

	always := kgoadapter.Consistent(func(*kgo.Record) bool { return true })
	require.True(t, kgoadapter.Partitioner(&byLength{}, always).ForTopic("t").RequiresConsistency(&kgo.Record{}))
}

func TestFallsBackToJava(t *testing.T) {
	for name, failing := range map[string]assignFunc{
		"error":            func(context.Context, partitioner.Batch) ([]int32, error) { return nil, errors.New("broken") },
		"panic":            func(context.Context, partitioner.Batch) ([]int32, error) { panic("broken") },
		"no answer":        func(context.Context, partitioner.Batch) ([]int32, error) { return nil, nil },
		"two answers":      func(context.Context, partitioner.Batch) ([]int32, error) { return []int32{0, 0}, nil },
		"outside":          func(context.Context, partitioner.Batch) ([]int32, error) { return []int32{50}, nil },
		"missed deadlines": func(ctx context.Context, _ partitioner.Batch) ([]int32, error) { <-ctx.Done(); return nil, ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			p := kgoadapter.Partitioner(failing, quiet(), kgoadapter.Timeout(time.Millisecond)).ForTopic("t")
			for i := range 20 {
				key := fmt.Appendf(nil, "key-%d", i)
				require.Equal(t, int(hash.Masked(hash.Murmur2(key), 50)), p.Partition(&kgo.Record{Key: key}, 50))
			}
		})
	}
}

func TestFallbackSticksForABatch(t *testing.T) {
	failing := assignFunc(func(context.Context, partitioner.Batch) ([]int32, error) { return nil, errors.New("broken") })
	p := kgoadapter.Partitioner(failing, quiet()).ForTopic("t")
	changes, last := 0, -1
	for range 1000 {
		partition := p.Partition(&kgo.Record{Value: make([]byte, 1024-16)}, 1000)
		if partition != last {
			changes, last = changes+1, partition
		}
	}
	// 1000 KiB are 62 batches and a half; the same partition may come up twice.
	require.InDelta(t, 63, changes, 5)
}

func TestFailuresAreLoggedOnceAndTheirEndToo(t *testing.T) {
	var out bytes.Buffer
	broken := true
	module := assignFunc(func(context.Context, partitioner.Batch) ([]int32, error) {
		if broken {
			return nil, errors.New("out of order")
		}
		return []int32{0}, nil
	})
	p := kgoadapter.Partitioner(module, kgoadapter.Log(hclog.New(&hclog.LoggerOptions{Output: &out}))).ForTopic("t")
	for range 3 {
		p.Partition(&kgo.Record{}, 3)
	}
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")))
	require.Contains(t, out.String(), "out of order")
	broken = false
	p.Partition(&kgo.Record{}, 3)
	p.Partition(&kgo.Record{}, 3)
	require.Equal(t, 2, bytes.Count(out.Bytes(), []byte("\n")))
	require.Contains(t, out.String(), "module answers again: failures=3")
}

func TestTheStackOfAPanicIsLogged(t *testing.T) {
	var out bytes.Buffer
	broken := assignFunc(func(context.Context, partitioner.Batch) ([]int32, error) { return outOfRange(), nil })
	p := kgoadapter.Partitioner(broken, kgoadapter.Log(hclog.New(&hclog.LoggerOptions{Output: &out, JSONFormat: true}))).ForTopic("t")
	p.Partition(&kgo.Record{}, 3)
	var said struct{ Error, Stack string }
	require.NoError(t, json.Unmarshal(out.Bytes(), &said), out.String())
	require.Equal(t, "module panicked: no row 9", said.Error)
	require.Contains(t, said.Stack, "outOfRange")
}

func outOfRange() []int32 { panic("no row 9") }
