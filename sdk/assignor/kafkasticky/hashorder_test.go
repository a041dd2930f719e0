package kafkasticky

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is wanted here is what Java 17 and Kafka's TopicPartition answered.

func TestHashesAreJavas(t *testing.T) {
	for text, hash := range map[string]int32{"": 0, "hello": 99162322, "consumer-1": -166239206, "Grüße 𝄞": 412022707} {
		require.Equal(t, hash, int32(stringHash(text)), text)
	}
}

func TestOrderIsJavas(t *testing.T) {
	var keys []string
	for i := range 30 {
		keys = append(keys, "member-"+strconv.Itoa(i))
	}
	require.Equal(t, []int{
		19, 18, 17, 16, 5, 15, 6, 14, 3, 13, 4, 12, 9, 11, 10, 7, 8, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 1, 2, 0,
	}, hashOrder(keys))
}

func TestSetsAreWalkedAsJavas(t *testing.T) {
	set := newHashSet("t")
	for partition := range 20 {
		set.add(partition)
	}
	require.Equal(t, 19, set.first())
	set.remove(19)
	require.Equal(t, 18, set.first())
	for partition := 18; partition > 4; partition-- {
		set.remove(partition)
	}
	require.Equal(t, 4, set.first(), "a table does not shrink")
}
