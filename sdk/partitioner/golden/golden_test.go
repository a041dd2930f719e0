package golden_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner/golden"
	"odradek.dev/sdk/partitioner/hash"
)

type rule func(key []byte, partitions int32) int32

func murmur2(key []byte, n int32) int32 { return hash.Masked(hash.Murmur2(key), n) }
func fnv1a(key []byte, n int32) int32   { return hash.SignedAbs(hash.FNV1a(key), n) }
func crc32(key []byte, n int32) int32   { return hash.Unsigned(hash.CRC32(key), n) }

func TestHashesAgreeWithTheClients(t *testing.T) {
	for name, c := range map[string]struct {
		vectors []golden.Vector
		rule    rule
	}{
		"java":                         {golden.Java(), murmur2},
		"sarama":                       {golden.Sarama(), fnv1a},
		"librdkafka consistent":        {golden.LibrdkafkaConsistent(), crc32},
		"librdkafka consistent_random": {golden.LibrdkafkaConsistentRandom(), crc32},
		"librdkafka murmur2":           {golden.LibrdkafkaMurmur2(), murmur2},
		"librdkafka murmur2_random":    {golden.LibrdkafkaMurmur2Random(), murmur2},
		"librdkafka fnv1a":             {golden.LibrdkafkaFNV1a(), fnv1a},
	} {
		t.Run(name, func(t *testing.T) {
			require.Greater(t, len(c.vectors), 900)
			for _, v := range c.vectors {
				require.Equal(t, v.Partition, c.rule(v.Key, v.Partitions), "key %x of %d partitions", v.Key, v.Partitions)
			}
		})
	}
}

// The rules agree on most keys of small topics, so a vector set that could not
// tell them apart would prove nothing.
func TestVectorsTellTheRulesApart(t *testing.T) {
	differ := func(vectors []golden.Vector, wrong rule) int {
		count := 0
		for _, v := range vectors {
			if wrong(v.Key, v.Partitions) != v.Partition {
				count++
			}
		}
		return count
	}
	masked := func(key []byte, n int32) int32 { return hash.Masked(hash.FNV1a(key), n) }
	signed := func(key []byte, n int32) int32 { return hash.SignedAbs(hash.CRC32(key), n) }
	unsigned := func(key []byte, n int32) int32 { return hash.Unsigned(hash.Murmur2(key), n) }
	require.Greater(t, differ(golden.Sarama(), masked), 100)
	require.Greater(t, differ(golden.LibrdkafkaConsistent(), signed), 100)
	require.Greater(t, differ(golden.Java(), unsigned), 100)
}

func TestNullIsNotTheEmptyKey(t *testing.T) {
	null, empty := 0, 0
	for _, v := range golden.LibrdkafkaConsistent() {
		switch {
		case v.Key == nil:
			null++
		case bytes.Equal(v.Key, []byte{}):
			empty++
		}
	}
	require.Equal(t, 8, null)
	require.Equal(t, 8, empty)
}
