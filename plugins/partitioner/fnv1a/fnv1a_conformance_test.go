package fnv1a_test

import (
	"slices"
	"testing"

	"odradek.dev/plugins/partitioner/fnv1a"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/golden"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, fnv1a.Factory()) }

func open(t *testing.T) partitioner.Partitioner {
	return partitionertest.Open(t, fnv1a.Factory(), nil)
}

func openSubprocess(t *testing.T) partitioner.Partitioner {
	command := remotetest.Command(t, fnv1a.Factory(), nil)
	command.Seed = partitionertest.Seed
	return remotetest.Launch(t, command).Instance().(partitioner.Partitioner)
}

func TestConformance(t *testing.T) { partitionertest.Run(t, open) }

func TestConformanceOfSubprocess(t *testing.T) { partitionertest.Run(t, openSubprocess) }

func TestBindingsAgree(t *testing.T) { partitionertest.Equal(t, open(t), openSubprocess(t)) }

func TestPlacesKeysAsSaramaDoes(t *testing.T) { partitionertest.Golden(t, open(t), golden.Sarama()) }

func TestPlacesKeysAsLibrdkafkaDoes(t *testing.T) {
	vectors := golden.LibrdkafkaFNV1a()
	vectors = slices.DeleteFunc(vectors, func(v golden.Vector) bool { return v.Key == nil })
	partitionertest.Golden(t, open(t), vectors)
}
