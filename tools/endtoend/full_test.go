package endtoend

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/vfs"
)

// TestAFullDiskAtAStartServesFetchAndRecovers starts a broker after a crash on a
// disk that is full, and creates a topic on it. The logs have no room,
// the metadata has.
func TestAFullDiskAtAStartServesFetchAndRecovers(t *testing.T) {
	root := t.TempDir()
	space := vfs.NewSpace(1 << 40)
	inLogs := func(op vfs.Op) error {
		if filepath.Dir(filepath.Dir(op.Path)) == filepath.Join(root, "data") {
			return space.Inject(op)
		}
		return nil
	}
	set := []string{"log.dirs=" + filepath.Join(root, "data"), "metadata.log.dir=" + filepath.Join(root, "metadata"), "log.index.interval.bytes=0"}
	b := startOn(t, segmentOn(vfs.WithFaults(vfs.OS(), inLogs), false), set...)
	orders := newTopic(t, b.addr(), "orders", 1, nil)
	for _, value := range []string{"a", "b", "c"} {
		code, _ := orders.produce(0, value)
		require.Zero(t, code)
	}
	space.Set(0)
	require.Error(t, b.stop(), "the indexes have no room: the stop is not a clean one")

	b = startOn(t, segmentOn(vfs.WithFaults(vfs.OS(), inLogs), false), set...)
	orders = orders.known(b.addr())
	require.Equal(t, []string{"a", "b", "c"}, orders.values(0), "what is there is served")
	code, _ := orders.produce(0, "refused")
	require.True(t, kerr.IsRetriable(kerr.ErrorForCode(code)), "code %d", code)
	words := newTopic(t, b.addr(), "words", 1, nil)
	code, _ = words.produce(0, "refused")
	require.Equal(t, kerr.KafkaStorageError.Code, code)
	code, _ = words.fetch(0, 0)
	require.Equal(t, kerr.KafkaStorageError.Code, code)
	require.Contains(t, metricsOf(t, b.AdminAddr()), "odradek_partitions_offline 1\n")

	space.Set(1 << 40)
	code, _ = orders.produce(0, "d")
	require.Zero(t, code)
	require.Eventually(t, func() bool {
		code, _ := words.produce(0, "first")
		return code == 0
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, []string{"first"}, words.values(0))
	require.Equal(t, []string{"a", "b", "c", "d"}, orders.values(0))
	require.Contains(t, metricsOf(t, b.AdminAddr()), "odradek_partitions_offline 0\n")
	require.NoError(t, b.stop())
}
