package partition

import (
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
