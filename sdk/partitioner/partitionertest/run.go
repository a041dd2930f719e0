package partitionertest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner"
)

// Run holds the partitioners that open returns to the contract. Each part of
// the suite opens its own.
func Run(t *testing.T, open func(t *testing.T) partitioner.Partitioner, options ...Option) {
	var promised promises
	for _, option := range options {
		option(&promised)
	}
	for name, part := range map[string]func(*testing.T, partitioner.Partitioner, promises){
		"no records":                    noRecords,
		"one partition":                 onePartition,
		"large batches":                 largeBatches,
		"equal keys stay together":      equalKeys,
		"keyless goes to the available": keylessAvailable,
		"one available partition":       oneAvailable,
		"available set changes":         availableChanges,
		"topic shrinks and grows":       topicResized,
		"distribution":                  distribution,
		"context that has ended":        endedContext,
		"batch that is not one":         brokenBatch,
		"batch stays as it was":         batchUntouched,
		"many callers":                  manyCallers,
	} {
		t.Run(name, func(t *testing.T) { part(t, open(t), promised) })
	}
}

func numbered(prefix string, count int) [][]byte {
	keys := make([][]byte, count)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%s-%d", prefix, i)
	}
	return keys
}

func noRecords(t *testing.T, p partitioner.Partitioner, _ promises) {
	require.Empty(t, Assign(t, p, Batch(Topic(3))))
}

func onePartition(t *testing.T, p partitioner.Partitioner, _ promises) {
	keys := append(numbered("key", 100), nil, []byte{}, nil)
	require.Equal(t, make([]int32, len(keys)), Assign(t, p, Batch(Topic(1), keys...)))
}

func largeBatches(t *testing.T, p partitioner.Partitioner, _ promises) {
	long := make([]byte, 1<<16)
	keys := numbered("key", 1000)
	keys[500], keys[501], keys[999] = long, nil, []byte{}
	for _, partitions := range []int32{2, 3, 7, 1000, 1 << 20} {
		Assign(t, p, Batch(Topic(partitions), keys...))
	}
}

func equalKeys(t *testing.T, p partitioner.Partitioner, promised promises) {
	if promised.ignoresKeys {
		return
	}
	keys := append(numbered("key", 200), numbered("key", 200)...)
	if !promised.emptyKeyless {
		keys[0], keys[200] = []byte{}, []byte{}
	}
	all := Assign(t, p, Batch(Topic(11), keys...))
	for i, key := range keys[:200] {
		require.Equal(t, all[i], all[200+i], "key %q twice in a batch; EmptyKeyIsNone and IgnoresKeys are for partitioners that mean it so", key)
		alone := Assign(t, p, Batch(Topic(11), nil, key))
		require.Equal(t, all[i], alone[1], "key %q in a batch of its own", key)
	}
}

func keylessAvailable(t *testing.T, p partitioner.Partitioner, promised promises) {
	if promised.fixedForKeyless {
		chosen := Assign(t, p, Keyless(Topic(9, 1, 4, 8), 1000))
		require.Len(t, slices.Compact(chosen), 1)
		return
	}
	batch := Keyless(Topic(9, 1, 4, 8), 1000)
	if promised.emptyKeyless {
		batch.Keys.Lens[3], batch.Keys.Lens[700] = 0, 0
	}
	for i, chosen := range Assign(t, p, batch) {
		require.Contains(t, batch.Topic.Available, chosen, "record %d", i)
	}
}

func oneAvailable(t *testing.T, p partitioner.Partitioner, promised promises) {
	if promised.fixedForKeyless {
		return
	}
	for _, chosen := range Assign(t, p, Keyless(Topic(9, 5), 100)) {
		require.Equal(t, int32(5), chosen)
	}
}

func availableChanges(t *testing.T, p partitioner.Partitioner, promised promises) {
	if promised.fixedForKeyless {
		return
	}
	for epoch := range int32(9) {
		topic := Topic(9, epoch)
		topic.Epoch = int64(epoch)
		require.Equal(t, []int32{epoch, epoch}, Assign(t, p, Keyless(topic, 2)))
	}
}

func topicResized(t *testing.T, p partitioner.Partitioner, _ promises) {
	for epoch, partitions := range []int32{50, 1, 3, 100, 2} {
		topic := Topic(partitions)
		topic.Epoch = int64(epoch)
		Assign(t, p, Batch(topic, append(numbered("key", 50), nil, nil)...))
	}
}

// heavy makes the records so large that a partitioner which fills one batch
// before it goes on has filled thousands.
func heavy(batch partitioner.Batch) partitioner.Batch {
	for i := range batch.Sizes {
		batch.Sizes[i] = 2000
	}
	return batch
}

// distribution sends enough through the partitioner that a fair one misses
// these bounds less than once in a billion runs.
func distribution(t *testing.T, p partitioner.Partitioner, promised promises) {
	const partitions, batches, records = 8, 100, 400
	keyed, keyless := make([]int, partitions), make([]int, partitions)
	for b := range batches {
		for _, chosen := range Assign(t, p, Batch(Topic(partitions), numbered(fmt.Sprint("key-", b), records)...)) {
			keyed[chosen]++
		}
		for _, chosen := range Assign(t, p, heavy(Keyless(Topic(partitions), records))) {
			keyless[chosen]++
		}
	}
	if promised.skewed {
		return
	}
	requireEven(t, "records with keys", keyed)
	if !promised.fixedForKeyless {
		requireEven(t, "records without keys", keyless)
	}
}

func requireEven(t *testing.T, what string, counts []int) {
	t.Helper()
	total := 0
	for _, count := range counts {
		total += count
	}
	fair := total / len(counts)
	for partition, count := range counts {
		require.InDelta(t, fair, count, 0.5*float64(fair), "%s in partition %d: %v; Skewed is for a partitioner that means it so", what, partition, counts)
	}
}

func endedContext(t *testing.T, p partitioner.Partitioner, _ promises) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Assign(cancelled, Batch(Topic(3), numbered("key", 10)...))
	require.Error(t, err, "it answers though the context has ended")

	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err = p.Assign(late, Keyless(Topic(3), 10))
	require.Error(t, err)

	Assign(t, p, Keyless(Topic(3), 10))
}

func brokenBatch(t *testing.T, p partitioner.Partitioner, _ promises) {
	_, err := p.Assign(t.Context(), Batch(Topic(0), nil, nil))
	require.Error(t, err, "a topic without partitions")
	Assign(t, p, Keyless(Topic(3), 10))
}

func batchUntouched(t *testing.T, p partitioner.Partitioner, _ promises) {
	batch := Batch(Topic(5, 0, 2, 3), append(numbered("key", 100), nil, []byte{})...)
	data, lens := slices.Clone(batch.Keys.Data), slices.Clone(batch.Keys.Lens)
	sizes, available := slices.Clone(batch.Sizes), slices.Clone(batch.Topic.Available)
	Assign(t, p, batch)
	require.Equal(t, data, batch.Keys.Data)
	require.Equal(t, lens, batch.Keys.Lens)
	require.Equal(t, sizes, batch.Sizes)
	require.Equal(t, available, batch.Topic.Available)
}

func manyCallers(t *testing.T, p partitioner.Partitioner, promised promises) {
	want := Assign(t, p, Batch(Topic(11), numbered("key", 100)...))
	var callers sync.WaitGroup
	failures := make(chan string, 8)
	for caller := range 8 {
		callers.Go(func() {
			topic := Topic(11)
			topic.Name = fmt.Sprint("topic-", caller%3)
			if failure := callMany(t.Context(), p, topic, want, promised); failure != "" {
				failures <- failure
			}
		})
	}
	callers.Wait()
	close(failures)
	for failure := range failures {
		t.Error(failure)
	}
}

func callMany(ctx context.Context, p partitioner.Partitioner, topic partitioner.Topic, want []int32, promised promises) string {
	for range 50 {
		batch := Batch(topic, append(numbered("key", 100), make([][]byte, 100)...)...)
		got, err := p.Assign(ctx, batch)
		if err != nil {
			return err.Error()
		}
		if err := partitioner.Check(batch, got); err != nil {
			return err.Error()
		}
		if !promised.ignoresKeys && !slices.Equal(want, got[:100]) {
			return "keys went elsewhere while others called"
		}
	}
	return ""
}
