package partition

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

func TestTwoLogsOfOnePartitionAreRefused(t *testing.T) {
	id := storage.ID{Topic: "words", TopicID: [16]byte{7}, Partition: 3}
	d := newDirectories()
	require.NoError(t, d.add("/a", []storage.ID{id}))

	err := d.add("/b", []storage.ID{id})

	require.ErrorContains(t, err, "the log of words-3 is also in /a")
	require.Equal(t, []string{"/a", "/b"}, d.release(), "both are mounted, and to be let go")
}

func TestALogOfATopicThatWasReplacedIsNoSecondOne(t *testing.T) {
	d := newDirectories()
	require.NoError(t, d.add("/a", []storage.ID{{Topic: "words", TopicID: [16]byte{7}}}))
	require.NoError(t, d.add("/b", []storage.ID{{Topic: "words", TopicID: [16]byte{8}}}))
}

// Of what is there under other ids, the first in log.dirs gives way, each time.
func TestOfTwoEarlierLogsTheFirstIsReplaced(t *testing.T) {
	id := storage.ID{Topic: "words", TopicID: [16]byte{7}, Partition: 3}
	earlier := func(topic byte) storage.ID { return storage.ID{Topic: "words", TopicID: [16]byte{topic}, Partition: 3} }
	for range 20 {
		d := newDirectories()
		require.NoError(t, d.add("/c", []storage.ID{{Topic: "words", TopicID: [16]byte{1}}, {Topic: "other", Partition: 3}}))
		require.NoError(t, d.add("/b", []storage.ID{earlier(9)}))
		require.NoError(t, d.add("/a", []storage.ID{earlier(8)}))
		require.Equal(t, "/b", d.place(id))
		require.True(t, d.holds(earlier(8)), "it stays")
		require.False(t, d.holds(earlier(9)))

		d = newDirectories()
		require.NoError(t, d.add("/b", []storage.ID{earlier(9)}))
		require.NoError(t, d.add("/a", []storage.ID{earlier(0)}))
		require.Equal(t, "/a", d.place(id), "one that says no id is the topic's")

		d = newDirectories()
		require.NoError(t, d.add("/b", []storage.ID{earlier(9)}))
		require.NoError(t, d.add("/a", []storage.ID{earlier(8)}))
		d.fail("/b", errors.New("it broke"))
		require.Equal(t, "/a", d.place(id))
	}
}
