package partition

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
)

// restart starts the broker again with these log.dirs and log.dirs.lost.
func (h *house) restart(dirs, lost []string) {
	h.t.Helper()
	require.NoError(h.t, h.registry.Close(h.t.Context()))
	h.registry = nil
	h.plan(metadata.Plan{Records: metadata.RegisterBroker(h.image, metadata.Broker{ID: 1})})
	h.config.LogDirs, h.config.LogDirsLost = dirs, lost
	h.log.Reset()
	h.start()
}

// directoriesKnown are the paths of those that the metadata knows, and the id
// of the last.
func (h *house) directoriesKnown() (paths []string, last string) {
	self, _ := h.image.Broker(1)
	for _, d := range self.Directories {
		paths, last = append(paths, d.Path), d.ID.String()
	}
	return paths, last
}

// split is a house with two directories and a topic with a record in each of
// its four partitions, half of which are in the second directory.
func split(t *testing.T) (h *house, dirs []string, inSecond []int32) {
	h = newHouse(t, 2)
	dirs = h.config.LogDirs
	h.create("orders", 4)
	for n := range int32(4) {
		p := h.partition("orders", n)
		mustAppend(t, p, values("a"))
		if p.Dir() == dirs[1] {
			inSecond = append(inSecond, n)
		}
	}
	require.Len(t, inSecond, 2)
	return h, dirs, inSecond
}

func TestWhatIsInAMissingDirectoryIsOfflineUntilItIsBack(t *testing.T) {
	h, dirs, inSecond := split(t)
	known, id := h.directoriesKnown()
	require.Equal(t, dirs, known)

	for range 2 {
		h.restart(dirs[:1], nil)
		for _, n := range inSecond {
			p := h.partition("orders", n)
			for _, part := range []string{id, "last at " + dirs[1], "log.dirs.lost=" + id} {
				require.ErrorContains(t, p.Failure(), part)
			}
			require.Equal(t, kerr.KafkaStorageError, p.Read(0, AnyEpoch, 1).Refusal.Kind)
			a, decided := p.Append(values("b"), 1, nil, 0)
			require.True(t, decided)
			require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
		}
		stats := h.registry.Stats()
		require.Equal(t, []int{4, 2}, []int{stats.Partitions, stats.Offline}, "the others serve")
		require.Equal(t, 1, strings.Count(h.log.String(), "[ERROR]"), h.log.String())
	}
	h.create("words", 2)
	mustAppend(t, h.partition("words", 1), values("a"))
	h.plan(metadata.CreatePartitions(t.Context(), h.image, h.rules, []metadata.NewPartitions{{Topic: "orders", Count: 5}}))
	mustAppend(t, h.partition("orders", 4), values("a"))

	h.restart(dirs, nil)
	require.Zero(t, h.registry.Stats().Offline)
	for n := range int32(5) {
		require.EqualValues(t, 1, h.partition("orders", n).LogEndOffset())
	}
}

func TestAMissingDirectoryThatIsGivenUpIsMadeAnew(t *testing.T) {
	h, dirs, inSecond := split(t)
	_, id := h.directoriesKnown()
	h.engine.Lose(dirs[1])
	h.restart(dirs[:1], []string{"another", id})
	require.Zero(t, h.registry.Stats().Offline)
	require.Contains(t, h.log.String(), "[WARN]")
	for _, n := range inSecond {
		require.Zero(t, h.partition("orders", n).LogEndOffset())
	}
	h.restart(dirs[:1], nil)
	require.Zero(t, h.registry.Stats().Offline, "it is not missed again")
}

func TestAMissingDirectoryIsForgottenWithItsTopics(t *testing.T) {
	h, dirs, inSecond := split(t)
	h.create("words", 1)
	mustAppend(t, h.partition("words", 0), values("a"))
	require.Equal(t, dirs[0], h.partition("words", 0).Dir())
	h.restart(dirs[:1], nil)
	require.Equal(t, len(inSecond), h.registry.Stats().Offline)
	h.remove("orders")
	require.Zero(t, h.registry.Stats().Offline)
	known, _ := h.directoriesKnown()
	require.Equal(t, dirs, known)

	h.restart(dirs[:1], nil)
	known, _ = h.directoriesKnown()
	require.Equal(t, dirs[:1], known)
	require.EqualValues(t, 1, h.partition("words", 0).LogEndOffset())
}

func TestDirectoriesComeAndGoEmpty(t *testing.T) {
	h, dirs, _ := split(t)
	more := append(dirs[:2:2], t.TempDir())
	h.restart(more, nil)
	known, _ := h.directoriesKnown()
	require.Equal(t, more, known)
	h.restart(dirs, nil)
	known, _ = h.directoriesKnown()
	require.Equal(t, dirs, known)
	require.Zero(t, h.registry.Stats().Offline)
	require.NotContains(t, h.log.String(), "[ERROR]")
}

// A metadata log of before directories were known says nothing of them.
func TestWithoutKnownDirectoriesLogsAreMadeAnew(t *testing.T) {
	h, dirs, _ := split(t)
	next, err := metadata.Apply(h.image, h.image.Index()+1, &metadata.DirectoriesKnown{Broker: 1})
	require.NoError(t, err)
	h.image = next
	h.engine.Lose(dirs[1])
	h.restart(dirs[:1], nil)
	require.Zero(t, h.registry.Stats().Offline)
}
