package endtoend

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/internal/brokerproc"
)

// TestFiveTimesAsManyPartitionsAsDescriptors has a broker that may open 200
// files keep 1,000 partitions, through a stop and a kill.
func TestFiveTimesAsManyPartitionsAsDescriptors(t *testing.T) {
	const partitions = 1000
	b := startLimited(t, 200)
	newTopic(t, b.Addr, "many", partitions, nil)
	for round, end := range []func() error{b.Stop, b.Kill} {
		writeToEach(t, b.Addr, partitions, round)
		require.NoError(t, end())
		require.NoError(t, b.Start(t.Context()))
		readFromEach(t, b.Addr, partitions, round+1)
	}
	require.Equal(t, 3, strings.Count(b.Log(), "[WARN]"), "each start tells of the limit once: %s", b.Log())
	require.Contains(t, b.Log(), "max.open.files=4096 limit=200 acting=100")
	require.NotContains(t, b.Log(), "[ERROR]")
}

// startLimited starts a broker that may have so many descriptors.
func startLimited(t *testing.T, descriptors int) *brokerproc.Broker {
	t.Helper()
	limited := filepath.Join(t.TempDir(), "limited")
	require.NoError(t, os.WriteFile(limited, fmt.Appendf(nil, "#!/bin/sh\nulimit -n %d\nexec '%s' \"$@\"\n", descriptors, binary), 0o700))
	return startProgram(t, limited)
}

// TestClientsComeWhileFilesHaveTheDescriptors has more clients than are left by
// the files that the broker keeps open, and all are served.
func TestClientsComeWhileFilesHaveTheDescriptors(t *testing.T) {
	const partitions, clients = 400, 140
	b := startLimited(t, 200)
	newTopic(t, b.Addr, "many", partitions, nil)
	writeToEach(t, b.Addr, partitions, 0)
	readFromEach(t, b.Addr, partitions, 1)
	for range clients {
		conn, err := net.Dial("tcp", b.Addr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
	}
	// Who comes later is accepted later.
	require.NoError(t, brokerproc.AwaitAnswer(t.Context(), b.Addr))
	require.Contains(t, b.Log(), "clients need the descriptors of files")
	writeToEach(t, b.Addr, partitions, 1)
	readFromEach(t, b.Addr, partitions, 2)
	require.NotContains(t, b.Log(), "[ERROR]")
}

func writeToEach(t *testing.T, addr string, partitions, round int) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DefaultProduceTopic("many"))
	require.NoError(t, err)
	defer client.Close()
	records := make([]*kgo.Record, partitions)
	for p := range records {
		records[p] = &kgo.Record{Partition: int32(p), Value: fmt.Appendf(nil, "%d of %d", round, p)}
	}
	require.NoError(t, client.ProduceSync(t.Context(), records...).FirstErr())
}

// readFromEach reads what rounds have written, and finds each end.
func readFromEach(t *testing.T, addr string, partitions, rounds int) {
	t.Helper()
	from := map[int32]kgo.Offset{}
	for p := range int32(partitions) {
		from[p] = kgo.NewOffset().AtStart()
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{"many": from}))
	require.NoError(t, err)
	defer client.Close()
	got := 0
	for got < partitions*rounds {
		fetches := client.PollFetches(t.Context())
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(r *kgo.Record) {
			require.Equal(t, fmt.Sprintf("%d of %d", r.Offset, r.Partition), string(r.Value))
			got++
		})
	}
	ends, err := kadm.NewClient(client).ListEndOffsets(t.Context(), "many")
	require.NoError(t, err)
	require.NoError(t, ends.Error())
	for p := range int32(partitions) {
		end, _ := ends.Lookup("many", p)
		require.EqualValues(t, rounds, end.Offset)
	}
}
