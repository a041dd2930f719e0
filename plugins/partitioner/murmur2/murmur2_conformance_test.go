package murmur2_test

import (
	"testing"

	"odradek.dev/plugins/partitioner/murmur2"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/golden"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, murmur2.Factory()) }

func open(t *testing.T) partitioner.Partitioner {
	return partitionertest.Open(t, murmur2.Factory(), nil)
}

func openSubprocess(t *testing.T) partitioner.Partitioner {
	command := remotetest.Command(t, murmur2.Factory(), nil)
	command.Seed = partitionertest.Seed
	return remotetest.Launch(t, command).Instance().(partitioner.Partitioner)
}

func TestConformance(t *testing.T) { partitionertest.Run(t, open) }

func TestConformanceOfSubprocess(t *testing.T) { partitionertest.Run(t, openSubprocess) }

func TestBindingsAgree(t *testing.T) { partitionertest.Equal(t, open(t), openSubprocess(t)) }

func TestPlacesKeysAsJavaDoes(t *testing.T) { partitionertest.Golden(t, open(t), golden.Java()) }

func TestPlacesKeysAsLibrdkafkaDoes(t *testing.T) {
	partitionertest.Golden(t, open(t), golden.LibrdkafkaMurmur2Random())
}
