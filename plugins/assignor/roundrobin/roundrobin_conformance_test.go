package roundrobin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/assignor/roundrobin"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/golden"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, roundrobin.Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, roundrobin.Factory(), nil) }

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, roundrobin.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Balanced(), assignortest.OnlyOrderMatters())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.Balanced(), assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }

func TestAssignsAsKafkaDoes(t *testing.T) {
	cases := golden.Kafka()
	require.Greater(t, len(cases), 100)
	for i, c := range cases {
		require.Equal(t, *c.RoundRobin, assignortest.Assign(t, open(t), c.Snapshot), "case %d", i+1)
	}
}
