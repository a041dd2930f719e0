package kafka

import (
	"encoding/binary"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group/step"
)

// inFlight is how many requests the benchmarks' client sends ahead.
const inFlight = 5

func BenchmarkProduce1(b *testing.B)       { benchmarkProduce(b, 1, 1) }
func BenchmarkProduce1Ahead(b *testing.B)  { benchmarkProduce(b, 1, inFlight) }
func BenchmarkProduceBatch64(b *testing.B) { benchmarkProduce(b, 64, inFlight) }

// benchmarkProduce counts requests of one batch with records of 1 KiB.
func benchmarkProduce(b *testing.B, records, ahead int) {
	broker := newTestBroker(b)
	broker.create(b, "orders", 1, nil)
	client := broker.dial(b)
	require.NoError(b, client.SetDeadline(time.Time{}))
	request := frame(produceOf(9, "orders", [16]byte{}, 1, batchOfSize(records, 1024)), 1)
	b.SetBytes(int64(len(request)))
	b.ReportAllocs()
	b.ResetTimer()
	answer := make([]byte, 1024)
	for sent, received := 0, 0; received < b.N; received++ {
		for ; sent < b.N && sent < received+ahead; sent++ {
			if _, err := client.Write(request); err != nil {
				b.Fatal(err)
			}
		}
		client.discard(b, answer)
	}
}

// discard reads one answer.
func (c *rawClient) discard(b *testing.B, buffer []byte) {
	if _, err := io.ReadFull(c, buffer[:4]); err != nil {
		b.Fatal(err)
	}
	for left := int(binary.BigEndian.Uint32(buffer)); left > 0; {
		n, err := c.Read(buffer[:min(left, len(buffer))])
		if err != nil {
			b.Fatal(err)
		}
		left -= n
	}
}

// BenchmarkFetch reads 1 MiB at a time.
func BenchmarkFetch(b *testing.B) {
	broker := newTestBroker(b, func(c *config.Broker, _ *testBroker) { c.FetchMaxBytes = 1 << 20 })
	broker.create(b, "orders", 1, nil)
	for range 64 {
		outcome, decided := broker.partition(b, "orders", 0).Append(batchOfSize(64, 1024), 1, nil, 0)
		require.True(b, decided)
		require.Nil(b, outcome.Refusal)
	}
	client := broker.dial(b)
	require.NoError(b, client.SetDeadline(time.Time{}))
	request := frame(fetchOf(12, "orders", [16]byte{}, 0), 1)
	b.SetBytes(1 << 20)
	b.ReportAllocs()
	b.ResetTimer()
	buffer := make([]byte, 256<<10)
	for range b.N {
		if _, err := client.Write(request); err != nil {
			b.Fatal(err)
		}
		client.discard(b, buffer)
	}
}

// The benchmarks of many partitions read a thousand, none of which has news.
func BenchmarkFetchMany(b *testing.B) {
	benchmarkFetchMany(b, func(_ *rawClient, all *kmsg.FetchRequest) func() []byte {
		all.SessionEpoch = -1
		request := frame(all, 1)
		return func() []byte { return request }
	})
}

func BenchmarkFetchManyInSession(b *testing.B) {
	benchmarkFetchMany(b, func(client *rawClient, all *kmsg.FetchRequest) func() []byte {
		all.SessionEpoch = 0
		session := client.ask(all).(*kmsg.FetchResponse).SessionID
		require.Positive(b, session)
		all.Topics, all.SessionID = nil, session
		return func() []byte { all.SessionEpoch++; return frame(all, 1) }
	})
}

func benchmarkFetchMany(b *testing.B, requests func(*rawClient, *kmsg.FetchRequest) func() []byte) {
	const partitions = 1000
	broker := newTestBroker(b)
	broker.create(b, "orders", partitions, nil)
	client := broker.dial(b)
	require.NoError(b, client.SetDeadline(time.Time{}))
	all := fetchOf(12, "orders", [16]byte{}, 0)
	all.MaxWaitMillis = 0
	for index := int32(1); index < partitions; index++ {
		p := all.Topics[0].Partitions[0]
		p.Partition = index
		all.Topics[0].Partitions = append(all.Topics[0].Partitions, p)
	}
	request, buffer := requests(client, all), make([]byte, 256<<10)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := client.Write(request()); err != nil {
			b.Fatal(err)
		}
		client.discard(b, buffer)
	}
}

// askedGroups answers requests about groups, as a coordinator does that has
// nothing to think about.
type askedGroups struct {
	Groups
	do func(q kmsg.Request, done func(kmsg.Response))
}

func (g *askedGroups) Do(_ string, _ step.Client, q kmsg.Request, done func(kmsg.Response)) {
	g.do(q, done)
}

func BenchmarkHeartbeat(b *testing.B) {
	q := kmsg.NewPtrHeartbeatRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 4, "payments", 7, "consumer-1-2f6b1c64-9a4e-4a52-8a3b-3c1f0b2d7e55"
	benchmarkGroup(b, q)
}

func BenchmarkConsumerGroupHeartbeat(b *testing.B) {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.MemberEpoch = 1, "payments", "2f6b1c64-9a4e-4a52-8a3b-3c1f0b2d7e55", 7
	q.RebalanceTimeoutMillis, q.SubscribedTopicNames = -1, nil
	benchmarkGroup(b, q)
}

// benchmarkGroup counts requests that are answered at once.
func benchmarkGroup(b *testing.B, q kmsg.Request) {
	broker := newTestBroker(b)
	response := q.ResponseKind()
	broker.backend.Groups = &askedGroups{do: func(_ kmsg.Request, done func(kmsg.Response)) { done(response) }}
	client := broker.dial(b)
	require.NoError(b, client.SetDeadline(time.Time{}))
	request, answer := frame(q, 1), make([]byte, 1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Write(request); err != nil {
			b.Fatal(err)
		}
		client.discard(b, answer)
	}
}

// BenchmarkJoinGroup has a hundred members join, of whom the last has all
// answered. An operation is a member.
func BenchmarkJoinGroup(b *testing.B) {
	const members = 100
	broker := newTestBroker(b)
	var mu sync.Mutex
	var waiting []func(kmsg.Response)
	broker.backend.Groups = &askedGroups{do: func(_ kmsg.Request, done func(kmsg.Response)) {
		mu.Lock()
		waiting = append(waiting, done)
		var due []func(kmsg.Response)
		if len(waiting) == members {
			due, waiting = waiting, nil
		}
		mu.Unlock()
		for _, done := range due {
			done(kmsg.NewPtrJoinGroupResponse())
		}
	}}
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType = 9, "payments", "consumer"
	request, answer := frame(q, 1), make([]byte, 1024)
	clients := make([]*rawClient, members)
	for i := range clients {
		clients[i] = broker.dial(b)
		require.NoError(b, clients[i].SetDeadline(time.Time{}))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for joined := 0; joined < b.N; joined += members {
		for _, client := range clients {
			if _, err := client.Write(request); err != nil {
				b.Fatal(err)
			}
		}
		for _, client := range clients {
			client.discard(b, answer)
		}
	}
}
