package sticky_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/assignor/sticky"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/golden"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, sticky.Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, sticky.Factory(), nil) }

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, sticky.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Sticky(), assignortest.MovesForRacks())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.Sticky(), assignortest.MovesForRacks())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }

// TestAssignsAsKafkaDoes leaves out the groups for which Kafka's answer is not
// exact.
func TestAssignsAsKafkaDoes(t *testing.T) {
	compared := 0
	for i, c := range golden.Kafka() {
		got := assignortest.Assign(t, open(t), c.Snapshot)
		if c.Sticky != nil {
			compared++
			require.Equal(t, *c.Sticky, got, "case %d", i+1)
		}
	}
	require.Greater(t, compared, 400)
}
