package partitioner_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner"
)

func TestTopicStateIsKeptByTopic(t *testing.T) {
	var counts partitioner.TopicState[int]
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for i := range 300 {
				counts.Update("topic-"+strconv.Itoa(i%3), func(n *int) { *n++ })
			}
		})
	}
	callers.Wait()
	for _, topic := range []string{"topic-0", "topic-1", "topic-2"} {
		counts.Update(topic, func(n *int) { require.Equal(t, 800, *n) })
	}
}

func TestTopicStateForgetsWhenThereAreTooMany(t *testing.T) {
	var counts partitioner.TopicState[int]
	add := func(topic int) (now int) {
		counts.Update(strconv.Itoa(topic), func(n *int) { *n++; now = *n })
		return now
	}
	for topic := range 100_000 {
		require.Equal(t, 1, add(topic))
	}
	require.Equal(t, 2, add(7))
	require.Equal(t, 1, add(100_000), "the topic that is one too many")
	require.Equal(t, 1, add(7))
}
