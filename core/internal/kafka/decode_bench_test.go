package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The benchmarks of decoding read one request again and again: of a hundred
// partitions, or of a hundred topics.
func BenchmarkDecodeProduce(b *testing.B) {
	q := produceOf(9, "orders", [16]byte{}, 1, batchOf("a"))
	topic := &q.Topics[0]
	for index := int32(1); index < 100; index++ {
		p := topic.Partitions[0]
		p.Partition = index
		topic.Partitions = append(topic.Partitions, p)
	}
	var call produceCall
	benchmarkDecode(b, q, func(r *request) error {
		call.reset()
		return call.decode(r)
	})
}

func BenchmarkDecodeFetch(b *testing.B) {
	q := fetchOf(12, "orders", [16]byte{}, 0)
	topic := &q.Topics[0]
	for index := int32(1); index < 100; index++ {
		p := topic.Partitions[0]
		p.Partition = index
		topic.Partitions = append(topic.Partitions, p)
	}
	var call fetchCall
	benchmarkDecode(b, q, func(r *request) error {
		call.reset()
		return call.decode(r)
	})
}

func BenchmarkCheckMetadata(b *testing.B) {
	q := kmsg.NewPtrMetadataRequest()
	q.SetVersion(12)
	for range 100 {
		q.Topics = append(q.Topics, kmsg.MetadataRequestTopic{Topic: kmsg.StringPtr("orders")})
	}
	benchmarkDecode(b, q, checkedAlready)
}

func BenchmarkCheckOffsetCommit(b *testing.B) {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.SetVersion(8)
	q.Group, q.MemberID, q.InstanceID = "billing", "member-1", kmsg.StringPtr("i")
	topic := kmsg.OffsetCommitRequestTopic{Topic: "orders"}
	for index := range int32(100) {
		topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitRequestTopicPartition{Partition: index, Metadata: kmsg.StringPtr("")})
	}
	q.Topics = append(q.Topics, topic)
	benchmarkDecode(b, q, checkedAlready)
}

func checkedAlready(*request) error { return nil }

func benchmarkDecode(b *testing.B, q kmsg.Request, decode func(*request) error) {
	table, whole := newTable(), frame(q, 1)[4:]
	var r request
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	for b.Loop() {
		r = request{}
		if err := r.parse(table, whole); err != nil {
			b.Fatal(err)
		}
		if err := decode(&r); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, decode(&r))
}
