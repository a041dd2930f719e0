package hash_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner/hash"
)

// The values are those that the authors of the hashes publish, and for murmur2
// those of Kafka's own unit test.
func TestPublishedValues(t *testing.T) {
	for key, want := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536,
		"a-little-bit-longer-string": -1486304829, "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
	} {
		require.Equal(t, want, int32(hash.Murmur2([]byte(key))), key)
	}
	require.Equal(t, uint32(0x811c9dc5), hash.FNV1a(nil))
	require.Equal(t, uint32(0xe40c292c), hash.FNV1a([]byte("a")))
	require.Equal(t, uint32(0xbf9cf968), hash.FNV1a([]byte("foobar")))
	require.Equal(t, uint32(0), hash.CRC32(nil))
	require.Equal(t, uint32(0xcbf43926), hash.CRC32([]byte("123456789")))
}

func TestRulesAtTheEdges(t *testing.T) {
	for _, h := range []uint32{0, 1, math.MaxInt32, 1 << 31, 1<<31 + 1, math.MaxUint32} {
		for _, n := range []int32{1, 2, 3, 1000, math.MaxInt32} {
			for _, rule := range []func(uint32, int32) int32{hash.Masked, hash.SignedAbs, hash.Unsigned} {
				p := rule(h, n)
				require.True(t, p >= 0 && p < n, "hash %d of %d partitions went to %d", h, n, p)
			}
		}
	}
	require.Equal(t, int32(3), hash.Masked(math.MaxUint32-4, 5), "0x7ffffffb")
	require.Equal(t, int32(0), hash.SignedAbs(math.MaxUint32-4, 5), "-5")
	require.Equal(t, int32(1), hash.Unsigned(math.MaxUint32-4, 5), "0xfffffffb")
}

func TestHashesAllocateNothing(t *testing.T) {
	key := []byte("user-42")
	require.Zero(t, testing.AllocsPerRun(100, func() { hash.Murmur2(key); hash.FNV1a(key); hash.CRC32(key) }))
}

func BenchmarkMurmur2(b *testing.B) {
	key := []byte("customer-0123456789")
	for b.Loop() {
		hash.Murmur2(key)
	}
}
