package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// What a fetch says of epochs, to a log of three records in epoch 0.
func TestEpochsOfAFetch(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a", "b", "c"))
	client := b.dial(t)
	for name, test := range map[string]struct {
		offset        int64
		current, last int32
		want          int16
		diverging     int32
	}{
		"none":                       {current: -1, last: -1, diverging: -1},
		"below none":                 {current: -2, last: -2, diverging: -1},
		"of now":                     {current: 0, last: 0, diverging: -1},
		"to come":                    {current: 1, last: -1, want: kerr.UnknownLeaderEpoch.Code, diverging: -1},
		"the last is to come":        {current: -1, last: 1, want: kerr.OffsetOutOfRange.Code, diverging: -1},
		"before the offset":          {offset: -1, current: 1, last: -1, want: kerr.UnknownLeaderEpoch.Code, diverging: -1},
		"the log is shorter":         {offset: 9, current: 0, last: 0, diverging: 0},
		"out of range without epoch": {offset: 9, current: 0, last: -1, want: kerr.OffsetOutOfRange.Code, diverging: -1},
	} {
		for version := int16(12); version <= 18; version++ {
			q := fetchOf(version, "orders", id, test.offset)
			q.Topics[0].Partitions[0].CurrentLeaderEpoch, q.Topics[0].Partitions[0].LastFetchedEpoch = test.current, test.last
			p := fetchedOf(t, client.ask(q))
			require.Equal(t, test.want, p.ErrorCode, "%s, version %d", name, version)
			require.Equal(t, test.diverging, p.DivergingEpoch.Epoch, "%s, version %d", name, version)
			require.EqualValues(t, -1, p.CurrentLeader.LeaderID, "a client that is ahead needs no hint")
			require.Equal(t, test.want == 0 && test.diverging < 0, len(p.RecordBatches) > 0)
			if test.diverging >= 0 {
				require.EqualValues(t, 3, p.DivergingEpoch.EndOffset)
				require.EqualValues(t, 3, p.HighWatermark)
			}
		}
	}
}

func TestADivergingEpochIsNewsInASession(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a"))
	client := b.dial(t)
	q := fetchOf(12, "orders", id, 1)
	q.MaxWaitMillis, q.SessionEpoch = 0, 0
	q.SessionID = client.ask(q).(*kmsg.FetchResponse).SessionID
	require.Positive(t, q.SessionID)
	q.SessionEpoch, q.Topics[0].Partitions[0].FetchOffset, q.Topics[0].Partitions[0].LastFetchedEpoch = 1, 9, 0
	for range 2 {
		require.EqualValues(t, 1, fetchedOf(t, client.ask(q)).DivergingEpoch.EndOffset)
		q.SessionEpoch++
		q.Topics = nil // the session has the epoch
	}
}

func TestAnotherBrokerIsNoReplica(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, batchOf("a"))
	client := b.dial(t)
	for version := int16(4); version <= 18; version++ {
		q := fetchOf(version, "orders", id, 0)
		if version < 15 {
			q.ReplicaID = 2
		} else {
			q.ReplicaState.ID = 2
		}
		r := client.ask(q)
		p := fetchedOf(t, r)
		require.Equal(t, kerr.NotLeaderForPartition.Code, p.ErrorCode, "version %d", version)
		require.Equal(t, version >= 16, p.CurrentLeader.LeaderID == 1, "version %d", version)
		require.Empty(t, r.(*kmsg.FetchResponse).Brokers)
		if version >= 9 {
			q.Topics[0].Partitions[0].CurrentLeaderEpoch = 0
			require.Equal(t, kerr.UnknownLeaderEpoch.Code, fetchedOf(t, client.ask(q)).ErrorCode, "version %d", version)
		}
	}
}
