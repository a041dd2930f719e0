package crc32_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/partitioner/crc32"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/golden"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, crc32.Factory()) }

func open(t *testing.T) partitioner.Partitioner {
	return partitionertest.Open(t, crc32.Factory(), nil)
}

func openSubprocess(t *testing.T) partitioner.Partitioner {
	command := remotetest.Command(t, crc32.Factory(), nil)
	command.Seed = partitionertest.Seed
	return remotetest.Launch(t, command).Instance().(partitioner.Partitioner)
}

func TestConformance(t *testing.T) { partitionertest.Run(t, open, partitionertest.EmptyKeyIsNone()) }

func TestConformanceOfSubprocess(t *testing.T) {
	partitionertest.Run(t, openSubprocess, partitionertest.EmptyKeyIsNone())
}

func TestBindingsAgree(t *testing.T) { partitionertest.Equal(t, open(t), openSubprocess(t)) }

func TestConformanceOfConsistent(t *testing.T) {
	partitionertest.Run(t, openConsistent, partitionertest.EmptyKeyIsNone(), partitionertest.KeylessIsFixed())
}

func openConsistent(t *testing.T) partitioner.Partitioner {
	return partitionertest.Open(t, crc32.Factory(), map[string]any{"partitioner": "consistent"})
}

func TestPlacesKeysAsLibrdkafkaDoes(t *testing.T) {
	partitionertest.Golden(t, open(t), golden.LibrdkafkaConsistentRandom())
	partitionertest.Golden(t, openConsistent(t), golden.LibrdkafkaConsistent())
}

func TestSettings(t *testing.T) {
	err := crc32.Factory().Check(map[string]any{"partitioner": "murmur2"})
	require.ErrorContains(t, err, `partitioner is "murmur2"; it must be consistent_random or consistent`)
}
