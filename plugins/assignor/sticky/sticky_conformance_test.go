package sticky_test

import (
	"testing"

	"odradek.dev/plugins/assignor/sticky"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, sticky.Factory()) }

func open(t *testing.T) assignor.Assignor { return assignortest.Open(t, sticky.Factory(), nil) }

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, sticky.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Sticky(), assignortest.OnlyOrderMatters())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.Sticky(), assignortest.OnlyOrderMatters())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }
