package kafka

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

func TestDescribeProducers(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 2, nil)
	client := b.dial(t)
	sentAt := time.Now().UnixMilli()
	for sequence := int32(0); sequence < 6; sequence += 3 {
		batch := recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, sentAt), ProducerID: 9, ProducerEpoch: 2, BaseSequence: sequence})
		require.Zero(t, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batch))).ErrorCode)
	}
	q := kmsg.NewPtrDescribeProducersRequest()
	q.Topics = []kmsg.DescribeProducersRequestTopic{
		{Topic: "orders", Partitions: []int32{0, 1, 99}}, {Topic: "missing", Partitions: []int32{0}}, {Topic: "a b", Partitions: []int32{0}},
	}
	topics := client.ask(q).(*kmsg.DescribeProducersResponse).Topics
	require.Len(t, topics, 3)
	orders := topics[0].Partitions
	require.Len(t, orders, 3)
	require.Len(t, orders[0].ActiveProducers, 1)
	active := orders[0].ActiveProducers[0]
	require.EqualValues(t, 9, active.ProducerID)
	require.EqualValues(t, 2, active.ProducerEpoch)
	require.EqualValues(t, 5, active.LastSequence)
	require.GreaterOrEqual(t, active.LastTimestamp, sentAt)
	require.EqualValues(t, -1, active.CoordinatorEpoch)
	require.EqualValues(t, -1, active.CurrentTxnStartOffset)
	require.Zero(t, orders[1].ErrorCode)
	require.Empty(t, orders[1].ActiveProducers)
	require.Equal(t, kerr.UnknownTopicOrPartition.Code, orders[2].ErrorCode)
	require.Equal(t, kerr.UnknownTopicOrPartition.Code, topics[1].Partitions[0].ErrorCode)
	require.Equal(t, kerr.InvalidTopicException.Code, topics[2].Partitions[0].ErrorCode)
	require.NotEmpty(t, *topics[2].Partitions[0].ErrorMessage)
}

func TestUnregisterBroker(t *testing.T) {
	b, _ := planned(t)
	for id, want := range map[int32]*kerr.Error{7: kerr.InvalidRequest, 8: kerr.BrokerIDNotRegistered, -1: kerr.BrokerIDNotRegistered} {
		q := kmsg.NewPtrUnregisterBrokerRequest()
		q.BrokerID = id
		resp := overTheWire(t, 0, unregisterBroker(t.Context(), b, plaintext(), q), kmsg.NewPtrUnregisterBrokerResponse())
		require.Equal(t, want.Code, resp.ErrorCode)
		require.NotEmpty(t, *resp.ErrorMessage)
	}
}
