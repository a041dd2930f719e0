package metadata

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// changedBetween is what Changed, or a walk over all topics, says.
func changedBetween(old, next *Image, say func(old, next *Image) func(func(before, after *Topic) bool)) map[string][2]*Topic {
	found := map[string][2]*Topic{}
	for before, after := range say(old, next) {
		name := ""
		if before != nil {
			name = before.Name
		}
		if after != nil {
			name = after.Name
		}
		found[name] = [2]*Topic{before, after}
	}
	return found
}

// Whatever lies between two images, the history knows what a walk would find.
func TestTheHistoryKnowsWhatChanged(t *testing.T) {
	for seed := range uint64(4) {
		draw := rand.New(rand.NewPCG(seed, 7))
		images := []*Image{Empty()}
		for step := range 3 * mostTouched / 2 {
			last := images[len(images)-1]
			next, err := Apply(last, last.Index()+1, anyRecord(draw, last, step))
			require.NoError(t, err)
			images = append(images, next)
			for _, back := range []int{1, 1 + draw.IntN(5), 1 + draw.IntN(len(images)-1)} {
				old := images[len(images)-1-min(back, len(images)-1)]
				require.Equal(t, changedBetween(old, next, func(o, n *Image) func(func(a, b *Topic) bool) { return compared(o, n) }),
					changedBetween(old, next, func(o, n *Image) func(func(a, b *Topic) bool) { return Changed(o, n) }), "seed %d, step %d", seed, step)
			}
			require.LessOrEqual(t, next.history.since, next.Index(), "what one record did is always known")
			if _, all := next.Topic("never"); !all && step%97 != 0 {
				require.Less(t, next.history.since, next.Index())
			}
			require.LessOrEqual(t, next.history.count, mostTouched)
		}
	}
}

// anyRecord creates, changes and deletes a few topics over and over.
func anyRecord(draw *rand.Rand, i *Image, step int) Record {
	if step%97 == 0 {
		return &LeaderRestarted{Leader: 1}
	}
	name := fmt.Sprintf("t%d", draw.IntN(12))
	topic, there := i.Topic(name)
	switch {
	case !there:
		return &TopicCreated{
			TopicID: TopicID{0: byte(step >> 8), 1: byte(step), 2: 1}, Name: name, Strategy: "first",
			Partitions: []partitionState{{Leader: 1, Replicas: []int32{1}}},
		}
	case draw.IntN(2) == 0:
		return &TopicDeleted{TopicID: topic.ID}
	default:
		return &TopicConfigured{TopicID: topic.ID, Configs: map[string]string{"k": fmt.Sprint(step)}}
	}
}

func TestASnapshotHasNoHistory(t *testing.T) {
	image := withTopics(t, "a", "b")
	state, err := EncodeSnapshot(image)
	require.NoError(t, err)
	restored, err := DecodeSnapshot(image.Index(), state)
	require.NoError(t, err)
	require.Len(t, changedBetween(Empty(), restored, func(o, n *Image) func(func(a, b *Topic) bool) { return Changed(o, n) }), 2)
	require.Equal(t, restored.Index(), restored.history.since)
}
