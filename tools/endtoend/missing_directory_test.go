package endtoend

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/tools/internal/brokerproc"
)

// onTwoDirectories is a broker with a second directory, other, and a topic with
// a record in each of its four partitions.
func onTwoDirectories(t *testing.T) (b *brokerproc.Broker, other string, orders *topicClient, inOther map[int32]bool) {
	other = filepath.Join(t.TempDir(), "other")
	b = startBroker(t)
	b.Args = append(b.Args, "-X", "log.dirs="+b.DataDir+","+other)
	again(t, b)
	orders = newTopic(t, b.Addr, "orders", 4, nil)
	inOther = map[int32]bool{}
	for p := range int32(4) {
		code, _ := orders.produce(p, "before")
		require.Zero(t, code)
	}
	for _, p := range dirsOf(t, orders.client)[other].Topics["orders"] {
		inOther[p.Partition] = true
	}
	require.Len(t, inOther, 2)
	return b, other, orders, inOther
}

// again stops the broker, has the disks changed, and starts it.
func again(t *testing.T, b *brokerproc.Broker, change ...func() error) {
	t.Helper()
	require.NoError(t, b.Stop())
	for _, f := range change {
		require.NoError(t, f())
	}
	require.NoError(t, b.Start(t.Context()))
}

func moved(from, to string) func() error { return func() error { return os.Rename(from, to) } }

// A disk that is not mounted leaves an empty folder, and the broker takes that
// for a new directory.
func TestADirectoryThatIsNotMountedIsMissedAndNotMadeAnew(t *testing.T) {
	b, other, orders, inOther := onTwoDirectories(t)
	away, empty := other+"-away", other+"-empty"
	again(t, b, moved(other, away))
	orders = orders.known(b.Addr)
	for p := range int32(4) {
		want := int16(0)
		if inOther[p] {
			want = kerr.KafkaStorageError.Code
		}
		code, _ := orders.fetch(p, 0)
		require.Equal(t, want, code)
		code, _ = orders.produce(p, "after")
		require.Equal(t, want, code)
	}
	require.Regexp(t, `directories are missing: \S{22} \(last at \S+/other, where there is another directory now\)`, b.Log())
	words := newTopic(t, b.Addr, "words", 2, nil)
	for p := range int32(2) {
		code, _ := words.produce(p, "new")
		require.Zero(t, code)
	}

	again(t, b, moved(other, empty), moved(away, other))
	b.Args = append(b.Args, "-X", "log.dirs="+b.DataDir+","+other+","+empty)
	again(t, b)
	orders, words = orders.known(b.Addr), words.known(b.Addr)
	for p := range int32(4) {
		want := []string{"before", "after"}
		if inOther[p] {
			want = want[:1]
		}
		require.Equal(t, want, orders.values(p))
	}
	for p := range int32(2) {
		require.Equal(t, []string{"new"}, words.values(p))
	}
}

func TestADirectoryThatIsLostIsGivenUp(t *testing.T) {
	b, other, orders, inOther := onTwoDirectories(t)
	again(t, b, func() error { return os.RemoveAll(other) })
	said := regexp.MustCompile(`log\.dirs\.lost=\S{22}`).FindString(b.Log())
	require.NotEmpty(t, said, b.Log())

	b.Args = append(b.Args, "-X", said)
	again(t, b)
	orders = orders.known(b.Addr)
	for p := range int32(4) {
		want := []string{"before"}
		if inOther[p] {
			want = nil
		}
		require.Equal(t, want, orders.values(p))
		code, _ := orders.produce(p, "after")
		require.Zero(t, code)
	}
	b.Args = b.Args[:len(b.Args)-2]
	again(t, b)
	orders = orders.known(b.Addr)
	for p := range int32(4) {
		require.Contains(t, orders.values(p), "after", "the setting is for one start")
	}
}
