package kafka

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

func producedOf(t *testing.T, r kmsg.Response) kmsg.ProduceResponseTopicPartition {
	t.Helper()
	answer := r.(*kmsg.ProduceResponse)
	require.Len(t, answer.Topics, 1)
	require.Len(t, answer.Topics[0].Partitions, 1)
	return answer.Topics[0].Partitions[0]
}

func TestProduceOfEveryVersion(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	offset := int64(0)
	for version := int16(3); version <= 13; version++ {
		for _, acks := range []int16{1, -1} {
			r := client.ask(produceOf(version, "orders", id, acks, batchOf("a", "b")))
			p := producedOf(t, r)
			require.Zero(t, p.ErrorCode, "version %d", version)
			require.Equal(t, offset, p.BaseOffset)
			require.Equal(t, int64(-1), p.LogAppendTime)
			if version < 13 {
				require.Equal(t, "orders", r.(*kmsg.ProduceResponse).Topics[0].Topic)
			} else {
				require.Equal(t, [16]byte(id), r.(*kmsg.ProduceResponse).Topics[0].TopicID)
			}
			offset += 2
		}
	}
	require.Equal(t, offset, b.partition(t, "orders", 0).LogEndOffset())
}

func TestProduceIsRefused(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.create(t, "__consumer_offsets", 1, nil)
	b.create(t, "compacted", 1, map[string]string{"cleanup.policy": "compact"})
	transactional := produceOf(9, "orders", id, -1, batchOf("a"))
	transactional.TransactionID = kmsg.StringPtr("t")
	elsewhere := produceOf(9, "orders", id, -1, batchOf("a"))
	elsewhere.Topics[0].Partitions[0].Partition = 7
	zstd := recordtest.Batch(recordtest.Spec{Records: recordtest.Values(time.Now().UnixMilli(), "a"), Codec: 4})
	tests := map[string]struct {
		q    *kmsg.ProduceRequest
		want *kerr.Error
	}{
		"acks 2":               {produceOf(9, "orders", id, 2, batchOf("a")), kerr.InvalidRequiredAcks},
		"no topic":             {produceOf(9, "nothing", id, 1, batchOf("a")), kerr.UnknownTopicOrPartition},
		"no topic id":          {produceOf(13, "", [16]byte{9}, 1, batchOf("a")), kerr.UnknownTopicID},
		"no partition":         {elsewhere, kerr.UnknownTopicOrPartition},
		"null records":         {produceOf(9, "orders", id, 1, nil), kerr.InvalidRecord},
		"two batches":          {produceOf(9, "orders", id, 1, append(batchOf("a"), batchOf("b")...)), kerr.InvalidRecord},
		"cut off":              {produceOf(9, "orders", id, 1, batchOf("a")[:65]), kerr.InvalidRecord},
		"format 1":             {produceOf(9, "orders", id, 1, set(batchOf("a"), 16, 1)), kerr.InvalidRecord},
		"format 3":             {produceOf(9, "orders", id, 1, set(batchOf("a"), 16, 3)), kerr.CorruptMessage},
		"format -1":            {produceOf(9, "orders", id, 1, set(batchOf("a"), 16, 0xff)), kerr.CorruptMessage},
		"length 0":             {produceOf(9, "orders", id, 1, set(batchOf("a"), 8, 0, 0, 0, 0)), kerr.CorruptMessage},
		"length -1":            {produceOf(9, "orders", id, 1, set(batchOf("a"), 8, 0xff, 0xff, 0xff, 0xff)), kerr.CorruptMessage},
		"length of no batch":   {produceOf(9, "orders", id, 1, set(batchOf("a"), 8, 0, 0, 0, 40)), kerr.CorruptMessage},
		"no batch behind it":   {produceOf(9, "orders", id, 1, append(batchOf("a"), make([]byte, 12)...)), kerr.CorruptMessage},
		"topic before acks":    {produceOf(9, "nothing", id, 2, batchOf("a")), kerr.UnknownTopicOrPartition},
		"format before acks":   {produceOf(9, "orders", id, 2, set(batchOf("a"), 16, 1)), kerr.InvalidRecord},
		"acks before the rest": {produceOf(9, "orders", id, 2, set(batchOf("a"), 65, 9)), kerr.InvalidRequiredAcks},
		"internal":             {produceOf(9, "__consumer_offsets", id, 1, batchOf("a")), kerr.InvalidTopicException},
		"transaction":          {transactional, kerr.InvalidTxnState},
		"zstd before its day":  {produceOf(6, "orders", id, 1, zstd), kerr.UnsupportedCompressionType},
		"no key":               {produceOf(9, "compacted", id, 1, batchOf("a", "b")), kerr.InvalidRecord},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := producedOf(t, b.dial(t).ask(test.q))
			require.Equal(t, test.want.Code, p.ErrorCode)
			require.Equal(t, int64(-1), p.BaseOffset)
			if test.q.Version >= 8 {
				require.NotNil(t, p.ErrorMessage)
			}
			if name == "no key" {
				require.Len(t, p.ErrorRecords, 2)
				require.EqualValues(t, 1, p.ErrorRecords[1].RelativeOffset)
				require.Zero(t, p.LogStartOffset)
			}
		})
	}
	require.Zero(t, b.partition(t, "orders", 0).LogEndOffset())
}

// set writes bytes into a batch, whose checksum is wrong then if it covers them.
func set(batch []byte, at int, bytes ...byte) []byte {
	copy(batch[at:], bytes)
	return batch
}

func TestABatchThatIsNoneSpoilsTheRequest(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	q := produceOf(9, "orders", id, 1, batchOf("a"))
	other := q.Topics[0].Partitions[0]
	other.Partition, other.Records = 7, set(batchOf("a"), 16, 0xff)
	q.Topics[0].Partitions = append(q.Topics[0].Partitions, other)
	for _, p := range b.dial(t).ask(q).(*kmsg.ProduceResponse).Topics[0].Partitions {
		require.Equal(t, kerr.CorruptMessage.Code, p.ErrorCode)
		require.EqualValues(t, -1, p.LogStartOffset)
	}
	require.Zero(t, b.partition(t, "orders", 0).LogEndOffset())
}

func TestTooFewBytesBehindABatchAreCutOff(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	for offset, behind := range [][]byte{make([]byte, 11), batchOf("another")[:70]} {
		p := producedOf(t, client.ask(produceOf(9, "orders", id, 1, append(batchOf("a"), behind...))))
		require.Zero(t, p.ErrorCode)
		require.EqualValues(t, offset, p.BaseOffset)
	}
	require.EqualValues(t, 2*len(batchOf("a")), b.partition(t, "orders", 0).Bytes())
}

func TestATopicWithoutPartitionsIsNotAnswered(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	for _, version := range []int16{9, 13} {
		produce := produceOf(version, "orders", id, 1, batchOf("a"))
		produce.Topics = append([]kmsg.ProduceRequestTopic{{Topic: "empty", TopicID: [16]byte{7}}}, produce.Topics...)
		require.Zero(t, producedOf(t, client.ask(produce)).ErrorCode)
		fetch := fetchOf(version, "orders", id, 0)
		fetch.Topics = append([]kmsg.FetchRequestTopic{{Topic: "empty", TopicID: [16]byte{7}}}, fetch.Topics...)
		require.Len(t, client.ask(fetch).(*kmsg.FetchResponse).Topics, 1)
	}
}

func TestABatchOfTheTopicsCodec(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "zipped", 1, map[string]string{"compression.type": "zstd"})
	client := b.dial(t)
	require.Zero(t, producedOf(t, client.ask(produceOf(9, "zipped", id, 1, batchOf("a", "b")))).ErrorCode)
	got := record.Batch(client.ask(fetchOf(12, "zipped", id, 0)).(*kmsg.FetchResponse).Topics[0].Partitions[0].RecordBatches)
	require.EqualValues(t, 4, got.Compression())
	require.True(t, got.CRCValid())
	require.Len(t, got, got.Size())
	records, err := decompress(4, nil, got.Records(), 1<<20)
	require.NoError(t, err)
	require.Equal(t, batchOf("a", "b")[record.HeaderSize:], records)
}

func TestProduceWithoutAnAnswer(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	client.send(produceOf(9, "orders", id, 0, batchOf("a")))
	require.Equal(t, int64(1), producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("b")))).BaseOffset,
		"the answer is to the second request")
	client.send(produceOf(9, "nothing", id, 0, batchOf("a")))
	client.requireClosed()
	b.awaitLine(t, "acks=0")
}

// While a produce waits for its replicas, the next is appended and others are
// executed; the answers keep the order of the requests.
func TestRequestsGoOnBehindOneThatWaits(t *testing.T) {
	b := newTestBroker(t)
	b.strategy.AckDurable = true
	id := b.create(t, "orders", 1, nil)
	p := b.partition(t, "orders", 0)
	gate := make(chan struct{})
	b.engine.Log(p.ID()).Gate = gate
	client := b.dial(t)
	type sent struct {
		q           kmsg.Request
		correlation int32
	}
	var all []sent
	for i := range 20 {
		produce := produceOf(9, "orders", id, -1, batchOf(fmt.Sprint(i)))
		metadata := kmsg.NewPtrMetadataRequest()
		metadata.SetVersion(12)
		leader := produceOf(9, "orders", id, 1, batchOf("leader only"))
		for _, q := range []kmsg.Request{produce, metadata, leader} {
			all = append(all, sent{q, client.send(q)})
		}
	}
	require.Eventually(t, func() bool { return p.LogEndOffset() == 40 }, time.Minute, time.Millisecond)
	require.NoError(t, client.SetReadDeadline(time.Now().Add(20*time.Millisecond)))
	_, err := client.Read(make([]byte, 1))
	require.Error(t, err, "nothing is answered before the first is")
	require.NoError(t, client.SetReadDeadline(time.Now().Add(time.Minute)))
	close(gate)
	next := int64(0)
	for _, s := range all {
		r := client.receive(s.correlation, s.q)
		if _, ok := r.(*kmsg.ProduceResponse); ok {
			got := producedOf(t, r)
			require.Zero(t, got.ErrorCode)
			require.Equal(t, next, got.BaseOffset)
			next++
		}
	}
}

func TestAProduceThatWaitsTooLong(t *testing.T) {
	b := newTestBroker(t)
	b.strategy.AckDurable = true
	id := b.create(t, "orders", 1, nil)
	gate := make(chan struct{})
	b.engine.Log(b.partition(t, "orders", 0).ID()).Gate = gate
	client := b.dial(t)
	q := produceOf(9, "orders", id, -1, batchOf("a"))
	q.TimeoutMillis = 10
	require.Equal(t, kerr.RequestTimedOut.Code, producedOf(t, client.ask(q)).ErrorCode)
	close(gate)
	q.TimeoutMillis = 120_000
	require.Equal(t, int64(1), producedOf(t, client.ask(q)).BaseOffset, "the late answer harms nobody")
}

func TestNoClientWritesToAnInternalTopic(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "__consumer_offsets", 1, nil)
	client := b.dial(t)
	q := produceOf(9, "__consumer_offsets", id, -1, batchOf("a"))
	formatter := kmsg.NewRequestFormatter(kmsg.FormatterClientID("__admin_client"))
	_, err := client.Write(formatter.AppendRequest(nil, q, 1))
	require.NoError(t, err)
	require.Equal(t, kerr.InvalidTopicException.Code, producedOf(t, client.receive(1, q)).ErrorCode)
	require.Zero(t, b.partition(t, "__consumer_offsets", 0).LogEndOffset())
}
