package kafka

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/record"
)

func fetchedOf(t *testing.T, r kmsg.Response) kmsg.FetchResponseTopicPartition {
	t.Helper()
	answer := r.(*kmsg.FetchResponse)
	require.Zero(t, answer.ErrorCode)
	require.Len(t, answer.Topics, 1)
	require.Len(t, answer.Topics[0].Partitions, 1)
	return answer.Topics[0].Partitions[0]
}

// offsets are the base offsets of whole batches.
func offsets(b []byte) []int64 {
	var all []int64
	for {
		batch, rest, ok := record.Next(b)
		if !ok {
			return all
		}
		all = append(all, batch.BaseOffset())
		b = rest
	}
}

func (b *testBroker) append(t testing.TB, topic string, number int32, batch []byte) {
	t.Helper()
	outcome, decided := b.partition(t, topic, number).Append(batch, 1, nil, 0)
	require.True(t, decided)
	require.Nil(t, outcome.Refusal)
}

func TestFetchOfEveryVersion(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a", "b"))
	b.append(t, "orders", 0, batchOfSize(64, 1024)) // is sent from the file
	b.append(t, "orders", 0, batchOf("c"))
	client := b.dial(t)
	for version := int16(4); version <= 18; version++ {
		for _, isolation := range []int8{0, 1} {
			q := fetchOf(version, "orders", id, 1)
			q.IsolationLevel = isolation
			p := fetchedOf(t, client.ask(q))
			require.Zero(t, p.ErrorCode, "version %d", version)
			require.Equal(t, int64(67), p.HighWatermark)
			require.Equal(t, int64(67), p.LastStableOffset)
			require.Equal(t, []int64{0, 2, 66}, offsets(p.RecordBatches), "from the batch that holds the offset")
			require.Equal(t, isolation == 0, p.AbortedTransactions == nil)
		}
	}
}

func TestLimitsOfAFetch(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.FetchMaxBytes = 100 << 10 })
	id := b.create(t, "orders", 2, nil)
	batch := batchOfSize(40, 1024)
	size := int32(len(batch))
	for number := range int32(2) {
		for range 4 {
			b.append(t, "orders", number, batchOfSize(40, 1024))
		}
	}
	both := func(partitionBytes, maxBytes int32) (first, second int) {
		q := fetchOf(12, "orders", id, 0)
		q.MaxBytes, q.Topics[0].Partitions[0].PartitionMaxBytes = maxBytes, partitionBytes
		other := q.Topics[0].Partitions[0]
		other.Partition = 1
		q.Topics[0].Partitions = append(q.Topics[0].Partitions, other)
		r := b.dial(t).ask(q).(*kmsg.FetchResponse)
		return len(r.Topics[0].Partitions[0].RecordBatches), len(r.Topics[0].Partitions[1].RecordBatches)
	}
	tests := map[string]struct {
		partitionBytes, maxBytes, first, second int32
	}{
		"one byte each":            {1, 50 << 20, size, 0},
		"one byte in all":          {1 << 20, 1, size, 0},
		"a batch each":             {size, 50 << 20, size, size},
		"a batch and a half":       {size, size * 3 / 2, size, 0},
		"fetch.max.bytes":          {size * 2, 50 << 20, size * 2, 0},
		"cut off within a batch":   {size + 10, size + 10, size + 10, 0},
		"a batch each, one by all": {size, size * 2, size, size},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			first, second := both(test.partitionBytes, test.maxBytes)
			require.Equal(t, int(test.first), first)
			require.Equal(t, int(test.second), second)
		})
	}
}

func TestAnErrorIsAnsweredAtOnce(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	another := fetchOf(12, "orders", id, 0)
	another.Topics[0].Partitions[0].CurrentLeaderEpoch = 99
	elsewhere := fetchOf(12, "orders", id, 0)
	elsewhere.Topics[0].Partitions[0].Partition = 3
	tests := map[string]struct {
		q    *kmsg.FetchRequest
		want *kerr.Error
	}{
		"no topic":       {fetchOf(12, "nothing", id, 0), kerr.UnknownTopicOrPartition},
		"no topic id":    {fetchOf(13, "", [16]byte{9}, 0), kerr.UnknownTopicID},
		"no partition":   {elsewhere, kerr.UnknownTopicOrPartition},
		"beyond the end": {fetchOf(12, "orders", id, 1), kerr.OffsetOutOfRange},
		"before 0":       {fetchOf(12, "orders", id, -1), kerr.OffsetOutOfRange},
		"another epoch":  {another, kerr.UnknownLeaderEpoch},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			require.Equal(t, test.want.Code, fetchedOf(t, b.dial(t).ask(test.q)).ErrorCode)
			require.Less(t, time.Since(began), time.Minute)
		})
	}
}

// parked counts the fetches that wait, from inside.
func (b *testBroker) parked() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.connections {
		n += int(c.waiting.waiting.Load())
	}
	return n
}

func (b *testBroker) awaitParked(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return b.parked() == n }, time.Minute, time.Millisecond)
}

func TestAParkedFetchWakesAtMinBytes(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 2, nil)
	client := b.dial(t)
	q := fetchOf(12, "orders", id, 0)
	other := q.Topics[0].Partitions[0]
	other.Partition = 1
	q.Topics[0].Partitions = append(q.Topics[0].Partitions, other)
	batch := len(batchOf("a"))
	q.MinBytes, q.MaxWaitMillis = int32(3*batch), 120_000
	correlation := client.send(q)
	b.awaitParked(t, 1)
	b.append(t, "orders", 0, batchOf("a"))
	b.append(t, "orders", 1, batchOf("b"))
	require.Equal(t, 1, b.parked())
	b.append(t, "orders", 0, batchOf("c"))
	r := client.receive(correlation, q).(*kmsg.FetchResponse)
	require.Equal(t, []int64{0, 1}, offsets(r.Topics[0].Partitions[0].RecordBatches))
	require.Equal(t, []int64{0}, offsets(r.Topics[0].Partitions[1].RecordBatches))
}

// min_bytes is out of reach when the partition may give less.
func TestAParkedFetchWakesAtThePartitionsLimit(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	q := fetchOf(12, "orders", id, 0)
	q.MinBytes, q.Topics[0].Partitions[0].PartitionMaxBytes = 1<<20, 50
	correlation := client.send(q)
	b.awaitParked(t, 1)
	b.append(t, "orders", 0, batchOf("a"))
	require.Equal(t, []int64{0}, offsets(fetchedOf(t, client.receive(correlation, q)).RecordBatches))
}

func TestAParkedFetchEndsWithItsTime(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a"))
	client := b.dial(t)
	q := fetchOf(12, "orders", id, 0)
	q.MinBytes, q.MaxWaitMillis = 1<<20, 100
	began := time.Now()
	p := fetchedOf(t, client.ask(q))
	require.GreaterOrEqual(t, time.Since(began), 100*time.Millisecond)
	require.Equal(t, []int64{0}, offsets(p.RecordBatches), "what there is comes all the same")
}

func TestAParkedFetchEndsWithItsTopic(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	q := fetchOf(13, "orders", id, 0)
	correlation := client.send(q)
	b.awaitParked(t, 1)
	b.backend.Controller.DeleteTopics(t.Context(), []metadata.TopicRef{{Name: "orders"}})
	require.Equal(t, kerr.UnknownTopicOrPartition.Code, fetchedOf(t, client.receive(correlation, q)).ErrorCode)
}

// A client that goes leaves nothing behind in the partitions.
func TestAParkedFetchEndsWithItsClient(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	for range 20 {
		client := b.dial(t)
		client.send(fetchOf(12, "orders", id, 0))
		client.send(fetchOf(12, "orders", id, 0))
	}
	b.awaitParked(t, 40)
	b.mu.Lock()
	open := keys(b.connections)
	b.mu.Unlock()
	for _, c := range open {
		c.broken(nil)
	}
	b.awaitParked(t, 0)
	require.Eventually(t, func() bool { return !b.partition(t, "orders", 0).Watched() }, time.Minute, time.Millisecond)
}

// The requests behind a parked fetch are executed, and a fetch that wakes does
// not overtake them.
func TestAParkedFetchKeepsItsPlace(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	fetch := fetchOf(12, "orders", id, 0)
	first := client.send(fetch)
	produce := produceOf(9, "orders", id, 1, batchOf("a"))
	second := client.send(produce)
	require.Equal(t, []int64{0}, offsets(fetchedOf(t, client.receive(first, fetch)).RecordBatches))
	require.Zero(t, producedOf(t, client.receive(second, produce)).BaseOffset)
}

// A client that asks and does not read is not given memory without end.
func TestASlowReaderIsHeldUp(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	for range 16 {
		b.append(t, "orders", 0, batchOfSize(60, 1024))
	}
	slow := b.dial(t)
	go func() {
		request := frame(fetchOf(12, "orders", id, 0), 1)
		for range 10_000 {
			if _, err := slow.Write(request); err != nil {
				return
			}
		}
	}()
	quick := b.dial(t)
	for range 100 {
		require.Len(t, offsets(fetchedOf(t, quick.ask(fetchOf(12, "orders", id, 0))).RecordBatches), 16)
	}
	require.LessOrEqual(t, b.parked(), mostSlots)
	require.NoError(t, slow.Close())
}

// One answer has batches from the files of several directories, copied and sent.
func TestAFetchFromSeveralDirectories(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.LogDirs = append(c.LogDirs, t.TempDir()) })
	id := b.create(t, "orders", 4, nil)
	q := fetchOf(12, "orders", id, 0)
	dirs := map[string]bool{}
	for number := range int32(4) {
		b.append(t, "orders", number, batchOf("short"))
		b.append(t, "orders", number, batchOfSize(64, 1024)) // is sent from the file
		dirs[b.partition(t, "orders", number).Dir()] = true
		if number > 0 {
			p := q.Topics[0].Partitions[0]
			p.Partition = number
			q.Topics[0].Partitions = append(q.Topics[0].Partitions, p)
		}
	}
	require.Len(t, dirs, 2)
	answer := b.dial(t).ask(q).(*kmsg.FetchResponse)
	require.Len(t, answer.Topics[0].Partitions, 4)
	for _, p := range answer.Topics[0].Partitions {
		require.Zero(t, p.ErrorCode)
		require.Equal(t, []int64{0, 1}, offsets(p.RecordBatches))
	}
}

// Between finding batches and opening their file another may take its place.
func TestAFileThatIsGoneIsLookedForOnceMore(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a"))
	files, err := filepath.Glob(filepath.Join(b.backend.Config.LogDirs[0], "orders-*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, away := files[0], filepath.Join(t.TempDir(), "away")
	client := b.dial(t)
	var reads atomic.Int64
	require.NoError(t, os.Rename(file, away))
	b.engine.AfterRead = func() {
		if reads.Add(1) == 4 {
			assert.NoError(t, os.Rename(away, file))
		}
	}
	require.Equal(t, kerr.KafkaStorageError.Code, fetchedOf(t, client.ask(fetchOf(12, "orders", id, 0))).ErrorCode)
	require.EqualValues(t, 2, reads.Load())
	p := fetchedOf(t, client.ask(fetchOf(12, "orders", id, 0)))
	require.Zero(t, p.ErrorCode)
	require.Equal(t, []int64{0}, offsets(p.RecordBatches))
	require.EqualValues(t, 4, reads.Load())
}
