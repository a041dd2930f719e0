// Package endtoend has the tests that run the odradek binary as a user does and
// look at it only from outside: over its listeners, its exit and its files.
package endtoend

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/brokerproc"
)

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "odradek-endtoend-")
	if err == nil {
		binary, err = brokerproc.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// startBroker starts a broker that ends with the test.
func startBroker(t *testing.T, args ...string) *brokerproc.Broker {
	t.Helper()
	return startProgram(t, binary, args...)
}

// startProgram is startBroker for a program that is, or becomes, a broker.
func startProgram(t *testing.T, program string, args ...string) *brokerproc.Broker {
	t.Helper()
	b, err := brokerproc.New(program, t.TempDir(), args...)
	require.NoError(t, err)
	require.NoError(t, b.Start(t.Context()))
	t.Cleanup(func() {
		require.NoError(t, b.Stop())
		if t.Failed() {
			t.Log(b.Log())
		}
	})
	return b
}
