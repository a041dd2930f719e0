package ranges_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	ranges "odradek.dev/plugins/assignor/range"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/golden"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, ranges.Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, ranges.Factory(), nil) }

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, ranges.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.OnlyOrderMatters())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }

func TestAssignsAsJavaDoes(t *testing.T) {
	cases := golden.Java()
	require.Greater(t, len(cases), 100)
	for i, c := range cases {
		require.Equal(t, c.Range, assignortest.Assign(t, open(t), c.Snapshot), "case %d", i+1)
	}
}
