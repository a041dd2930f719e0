package kafka

import (
	"encoding/binary"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
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
