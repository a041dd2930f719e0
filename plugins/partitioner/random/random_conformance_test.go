package random_test

import (
	"testing"

	"odradek.dev/plugins/partitioner/random"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, random.Factory()) }

func open(t *testing.T) partitioner.Partitioner {
	return partitionertest.Open(t, random.Factory(), nil)
}

func openSubprocess(t *testing.T) partitioner.Partitioner {
	command := remotetest.Command(t, random.Factory(), nil)
	command.Seed = partitionertest.Seed
	return remotetest.Launch(t, command).Instance().(partitioner.Partitioner)
}

func TestConformance(t *testing.T) { partitionertest.Run(t, open, partitionertest.IgnoresKeys()) }

func TestConformanceOfSubprocess(t *testing.T) {
	partitionertest.Run(t, openSubprocess, partitionertest.IgnoresKeys())
}

func TestBindingsAgree(t *testing.T) { partitionertest.Equal(t, open(t), openSubprocess(t)) }
