package endtoend

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"

	"odradek.dev/tools/internal/brokerproc"
)

// TestAMillionCommitsStaySmall has ten groups commit a million offsets, kills the
// broker while the log of those is compacted, and finds the last that each
// committed in a log of a few segments, and so for a group that committed once,
// before all the others.
func TestAMillionCommitsStaySmall(t *testing.T) {
	const (
		groups, partitions = 10, 100
		rounds, perRound   = 10, 100
		// As in TestACompactedTopicStaysSmall.
		most = 4 << 20
	)
	b := startBroker(t, "-X", "offsets.topic.num.partitions=1", "-X", "offsets.topic.segment.bytes=1048576",
		"-X", "log.cleaner.backoff.ms=50", "-X", "log.segment.delete.delay.ms=0")
	createTopic(t, b.Addr, "orders", partitions)
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr))
	require.NoError(t, err)
	defer client.Close()
	admin := kadm.NewClient(client)
	size := func() int64 { return logBytes(t, admin, "__consumer_offsets") }

	require.NoError(t, admin.CommitAllOffsets(t.Context(), "once", allAt(partitions, 7)))
	for round := range int64(rounds) {
		var committing errgroup.Group
		for g := range groups {
			committing.Go(func() error {
				for i := range int64(perRound) {
					if err := admin.CommitAllOffsets(t.Context(), groupNumber(g), allAt(partitions, round*perRound+i)); err != nil {
						return err
					}
				}
				return nil
			})
		}
		require.NoError(t, committing.Wait())
		if round == rounds/3 || round == rounds*2/3 {
			require.NoError(t, b.Kill())
			require.NoError(t, b.Start(t.Context()))
		}
		require.Eventually(t, func() bool { return size() < most }, time.Minute, 50*time.Millisecond)
	}
	ends, err := admin.ListEndOffsets(t.Context(), "__consumer_offsets")
	require.NoError(t, err)
	end, _ := ends.Lookup("__consumer_offsets", 0)
	require.GreaterOrEqual(t, end.Offset, int64(rounds*perRound*groups*partitions))

	require.NoError(t, b.Kill())
	require.NoError(t, b.Start(t.Context()))
	require.Less(t, size(), int64(most))
	requireCommitted(t, b, "once", partitions, 7)
	for g := range groups {
		requireCommitted(t, b, groupNumber(g), partitions, rounds*perRound-1)
	}
}

func groupNumber(i int) string { return fmt.Sprint("group-", i) }

// allAt is one offset for all partitions of orders.
func allAt(partitions int32, offset int64) kadm.Offsets {
	var all kadm.Offsets
	for p := range partitions {
		all.AddOffset("orders", p, offset, -1)
	}
	return all
}

// requireCommitted asks as somebody who has never talked to the broker.
func requireCommitted(t *testing.T, b *brokerproc.Broker, group string, partitions int, want int64) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr))
	require.NoError(t, err)
	defer client.Close()
	fetched, err := kadm.NewClient(client).FetchOffsets(t.Context(), group)
	require.NoError(t, err)
	require.NoError(t, fetched.Error())
	require.Len(t, fetched["orders"], partitions, group)
	fetched.Each(func(o kadm.OffsetResponse) { require.Equal(t, want, o.At, "%s, partition %d", group, o.Partition) })
}
