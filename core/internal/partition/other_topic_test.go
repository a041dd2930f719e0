package partition

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// TestALogUnderAnotherTopicsIDIsNotTakenForAnEarlierTopics turns over a bit of an
// id, as a disk may.
func TestALogUnderAnotherTopicsIDIsNotTakenForAnEarlierTopics(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 3)
	for n := range int32(3) {
		mustAppend(t, h.partition("orders", n), values("a"))
	}
	right := h.partition("orders", 1).id
	wrong := right
	wrong.TopicID[9] ^= 0x10
	dir := h.partition("orders", 1).Dir()
	for range 2 {
		h.engine.Rename(right, wrong)
		h.restart(h.config.LogDirs, nil)
		p := h.partition("orders", 1)
		for _, part := range []string{
			dir + "/orders-1/partition.metadata", "is of topic id " + metadata.TopicID(wrong.TopicID).String(),
			"write topic_id: " + metadata.TopicID(right.TopicID).String(), "move " + dir + "/orders-1 out of log.dirs",
		} {
			require.ErrorContains(t, p.Failure(), part)
		}
		require.Equal(t, kerr.KafkaStorageError, p.Read(0, AnyEpoch, 1).Refusal.Kind)
		require.Equal(t, kerr.KafkaStorageError, refusalTo(t, p))
		require.Equal(t, 1, strings.Count(h.log.String(), "[ERROR]"), h.log.String())
		require.Equal(t, 1, h.registry.Stats().Offline, "the others serve")
		require.NotNil(t, h.engine.Log(wrong))
		require.Nil(t, h.engine.Log(right), "none is made in its place")

		h.engine.Rename(wrong, right)
		h.restart(h.config.LogDirs, nil)
		require.EqualValues(t, 1, h.partition("orders", 1).LogEndOffset())
	}
	h.engine.Rename(right, storage.ID{Topic: "orders", Partition: 1})
	h.restart(h.config.LogDirs, nil)
	require.NoError(t, h.partition("orders", 1).Failure(), "one that says no id is the topic's")
}

func TestALogUnderAnotherIDBesideTheTopicsOwnIsLeftAlone(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 1)
	h.create("words", 1)
	mustAppend(t, h.partition("orders", 0), values("a"))
	other := storage.ID{Topic: "orders", TopicID: [16]byte{99}}
	h.engine.Rename(h.partition("words", 0).id, other)
	h.restart(h.config.LogDirs, nil)
	require.EqualValues(t, 1, h.partition("orders", 0).LogEndOffset())
	require.NotNil(t, h.engine.Log(other))
}

// Whoever has two such logs is told of both: either may be the topic's.
func TestTwoLogsUnderOtherIDsAreBothNamed(t *testing.T) {
	id := storage.ID{Topic: "orders", TopicID: [16]byte{7}, Partition: 1}
	for range 20 {
		d := newDirectories()
		require.NoError(t, d.add("/b", []storage.ID{{Topic: "orders", TopicID: [16]byte{9}, Partition: 1}}))
		require.NoError(t, d.add("/a", []storage.ID{{Topic: "orders", TopicID: [16]byte{8}, Partition: 1}}))
		require.Equal(t, "/b/orders-1/partition.metadata says that the log is of topic id CQAAAAAAAAAAAAAAAAAAAA, "+
			"/a/orders-1/partition.metadata says that the log is of topic id CAAAAAAAAAAAAAAAAAAAAA, and the topic has BwAAAAAAAAAAAAAAAAAAAA; "+
			"if one of them is this topic's log, write topic_id: BwAAAAAAAAAAAAAAAAAAAA into its file; if they are logs of earlier topics of the name, "+
			"move /b/orders-1 and /a/orders-1 out of log.dirs, and the partition is made anew, empty; then start the broker again",
			whyOthers(id, d.otherTopics(id)))
		require.NoError(t, d.add("/c", []storage.ID{{Topic: "orders", Partition: 1}}))
		require.Empty(t, d.otherTopics(id), "one that says no id is the topic's")
	}
}
