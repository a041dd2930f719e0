package uniform_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/assignor/uniform"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/golden"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, uniform.Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, uniform.Factory(), nil) }

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, uniform.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Sticky(), assignortest.OnlyOrderMatters())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.Sticky(), assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }

func TestAssignsAsKafkaDoes(t *testing.T) {
	cases := golden.Kafka()
	require.Greater(t, len(cases), 400)
	for i, c := range cases {
		require.Equal(t, *c.Uniform, assignortest.Assign(t, open(t), c.Snapshot), "case %d", i+1)
	}
}
