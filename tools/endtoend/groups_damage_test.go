package endtoend

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/record"
	"odradek.dev/tools/internal/brokerproc"
)

// damageTold finds what the log asks for.
var damageTold = regexp.MustCompile(`groups cannot be read.* offsets\.topic\.lost=(\S+)`)

// TestGroupsGoOnWithoutWhatIsGivenUp damages the log of groups of a stopped broker
// at one commit of many. Nobody's offsets go back until somebody says that what is
// lost is lost, and then only those that were in it.
func TestGroupsGoOnWithoutWhatIsGivenUp(t *testing.T) {
	for name, damage := range map[string]func(content []byte, position, next int) []byte{
		"a record": func(content []byte, position, _ int) []byte {
			content[position+record.HeaderSize+20] ^= 0x10
			return content
		},
		"the codec": func(content []byte, position, next int) []byte {
			b := record.Batch(content[position:next])
			b.SetCompression(7)
			b.SetCRC()
			return content
		},
		"the length": func(content []byte, position, _ int) []byte {
			content[position+9] ^= 0x10
			return content
		},
		"a batch is gone in part": func(content []byte, position, next int) []byte {
			return append(content[:position+70], content[next:]...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := startBroker(t, "-X", "offsets.topic.num.partitions=1")
			createTopic(t, b.Addr, "orders", 1)
			admin := adminOf(t, b)
			for offset := range int64(9) {
				require.NoError(t, admin.CommitAllOffsets(t.Context(), "g", allAt(1, offset)))
			}
			require.NoError(t, admin.CommitAllOffsets(t.Context(), "other", allAt(1, 7)))
			require.NoError(t, b.Stop())
			path := damageBatch(t, b, 8, damage)
			require.NoError(t, b.Start(t.Context()))
			admin = adminOf(t, b)

			require.Eventually(t, func() bool { return damageTold.MatchString(b.Log()) }, time.Minute, 10*time.Millisecond)
			require.Contains(t, metricsOf(t, b.Admin), "\nodradek_group_coordinators_failed 1\n")
			require.Contains(t, b.Log(), path, "the file is named")
			lost := damageTold.FindStringSubmatch(b.Log())[1]
			require.Equal(t, "0:8-8", lost)

			altered, err := admin.AlterBrokerConfigs(t.Context(), []kadm.AlterConfig{{Name: "offsets.topic.lost", Value: &lost}}, 1)
			require.NoError(t, err)
			require.NoError(t, altered[0].Err)
			requireCommitted(t, b, "g", 1, 7)
			requireCommitted(t, b, "other", 1, 7)
			require.NoError(t, admin.CommitAllOffsets(t.Context(), "g", allAt(1, 9)))

			require.NoError(t, b.Kill())
			require.NoError(t, b.Start(t.Context()))
			requireCommitted(t, b, "g", 1, 9)
		})
	}
}

// damageBatch changes the batch of an offset in the log of groups, and returns the
// path of the file.
func damageBatch(t *testing.T, b *brokerproc.Broker, offset int64, damage func(content []byte, position, next int) []byte) (path string) {
	t.Helper()
	path = filepath.Join(b.DataDir, "__consumer_offsets-0", "00000000000000000000.log")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	position := 0
	for batch, rest, ok := record.Next(content); ok; batch, rest, ok = record.Next(rest) {
		if batch.BaseOffset() == offset {
			require.NoError(t, os.WriteFile(path, damage(content, position, position+batch.Size()), 0o644))
			return path
		}
		position += batch.Size()
	}
	t.Fatalf("no batch begins at offset %d", offset)
	return ""
}

func adminOf(t *testing.T, b *brokerproc.Broker) *kadm.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return kadm.NewClient(client)
}
