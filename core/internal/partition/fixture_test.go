package partition

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/partition/partitiontest"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const nowMs = 1_700_000_000_000

// bench is a host with fakes around it, and one partition at a time.
type bench struct {
	t        *testing.T
	host     *host
	engine   *partitiontest.Engine
	strategy *partitiontest.Strategy
	clock    *clock.Fake
	dir      string
	topic    config.Topic
}

func newBench(t *testing.T) *bench {
	b := config.Default()
	b.NodeID = 1
	w := &bench{
		t: t, engine: &partitiontest.Engine{}, strategy: &partitiontest.Strategy{},
		clock: clock.NewFake(time.UnixMilli(nowMs)), dir: t.TempDir(), topic: b.Topic,
	}
	w.host = newHost(Options{
		Config: &b, Engine: w.engine, Strategies: map[string]replication.Strategy{"isr": w.strategy},
		Decompress: reverse, Compress: reverseBack, Clock: w.clock, Log: hclog.NewNullLogger(),
	})
	t.Cleanup(func() {
		w.host.files.Close()
		require.NoError(t, w.engine.Close())
	})
	return w
}

// reverse is a codec that turns bytes around.
func reverse(attribute int8, dst, src []byte, budget int) ([]byte, error) {
	if attribute != 4 {
		return nil, codec.ErrNone
	}
	if len(src) > budget {
		return nil, codec.ErrOverBudget
	}
	for i := range src {
		dst = append(dst, src[len(src)-1-i])
	}
	return dst, nil
}

// reverseBack compresses.
func reverseBack(attribute int8, dst, src []byte, _ int) ([]byte, error) {
	return reverse(attribute, dst, src, len(src))
}

func reversed(b []byte) []byte {
	out, err := reverse(4, nil, b, len(b))
	if err != nil {
		panic(err)
	}
	return out
}

var id0 = storage.ID{Topic: "orders", TopicID: [16]byte{1}, Partition: 0}

func leading(epoch int32) replication.Record {
	return replication.Record{Version: int64(epoch), Leader: 1, LeaderEpoch: epoch, Replicas: []int32{1}, InSync: []int32{1}, MinInSync: 1}
}

func (w *bench) open() *Partition {
	w.t.Helper()
	p, err := w.host.open(context.Background(), w.dir, id0, "isr", w.host.settingsOf(w.host.Config, w.topic), leading(3))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, p.close(context.Background(), errGone)) })
	return p
}

// values is a batch of records of this moment.
func values(v ...string) record.Batch {
	return recordtest.Batch(recordtest.Spec{Records: recordtest.Values(nowMs, v...)})
}

func sequencedBatch(producer int64, epoch int16, sequence int32, count int) record.Batch {
	return recordtest.Batch(recordtest.Spec{
		Records: recordtest.Numbered(count, nowMs), ProducerID: producer, ProducerEpoch: epoch, BaseSequence: sequence,
	})
}

// mustAppend appends and requires an answer at once.
func mustAppend(t *testing.T, p *Partition, batches []byte) Appended {
	t.Helper()
	a, decided := p.Append(batches, -1, nil, 0)
	require.True(t, decided)
	require.Nil(t, a.Refusal)
	return a
}

// answers collects what comes later.
type answers chan Appended

func (a answers) Appended(_ int, outcome Appended) { a <- outcome }

func (a answers) next(t *testing.T) Appended {
	t.Helper()
	select {
	case outcome := <-a:
		return outcome
	case <-time.After(time.Minute):
		t.Fatal("no answer")
		return Appended{}
	}
}

func (a answers) requireNone(t *testing.T) {
	t.Helper()
	require.Empty(t, a)
}
