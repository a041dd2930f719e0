package ranges_test

import (
	"reflect"
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

var rackAware = map[string]any{"rack.aware": true}

func openRackAware(t *testing.T) assignor.Assignor {
	return assignortest.Open(t, ranges.Factory(), rackAware)
}

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, ranges.Factory(), nil).(assignor.Assignor)
}

func openRackAwareSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, ranges.Factory(), rackAware).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.OnlyOrderMatters())
}

func TestConformanceOfRackAware(t *testing.T) {
	assignortest.Run(t, openRackAware, assignortest.OnlyOrderMatters())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) {
	assignortest.Equal(t, open(t), openSubprocess(t))
	assignortest.Equal(t, openRackAware(t), openRackAwareSubprocess(t))
}

func TestAssignsAsKafkaDoes(t *testing.T) {
	cases := golden.Kafka()
	require.Greater(t, len(cases), 400)
	differ := 0
	for i, c := range cases {
		require.Equal(t, *c.ServerRange, assignortest.Assign(t, open(t), c.Snapshot), "case %d, broker", i+1)
		require.Equal(t, *c.Range, assignortest.Assign(t, openRackAware(t), c.Snapshot), "case %d, client", i+1)
		if !reflect.DeepEqual(c.ServerRange, c.Range) {
			differ++
		}
	}
	require.Greater(t, differ, 50, "racks made no difference")
}
