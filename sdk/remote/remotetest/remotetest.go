// Package remotetest runs modules as subprocesses in tests, without a program
// to build: the test binary executes itself.
//
// A package whose tests use it has a TestMain:
//
//	func TestMain(m *testing.M) { remotetest.Main(m, mycodec.Factory()) }
//
// and runs its conformance suite on both bindings:
//
//	codectest.Run(t, func(t *testing.T) codec.Codec {
//		return remotetest.Open(t, mycodec.Factory(), nil).(codec.Codec)
//	})
package remotetest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// Main is the body of a TestMain: it runs the tests, or serves the factories
// if a test has started this process for that.
func Main(m *testing.M, factories ...module.Factory) {
	if remote.IsModuleProcess() {
		remote.Serve(factories...)
	}
	os.Exit(m.Run())
}

// Open runs the module in a process of its own until the test ends, and returns
// its instance. The factory must be one that was given to [Main].
func Open(t testing.TB, factory module.Factory, settings map[string]any) any {
	t.Helper()
	return Launch(t, Command(t, factory, settings)).Instance()
}

// Command says how the test binary runs the module, for a test that wants to
// change something about it.
func Command(t testing.TB, factory module.Factory, settings map[string]any) remote.Command {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	d := factory.Descriptor()
	return remote.Command{
		Path: self, Kind: d.Kind, Name: d.Name, Settings: settings,
		Log:          hclog.New(&hclog.LoggerOptions{Name: d.ID(), Output: t.Output(), Level: hclog.Info}),
		StartTimeout: time.Minute,
	}
}

// Launch starts the process and stops it when the test ends.
func Launch(t testing.TB, command remote.Command) *remote.Process {
	t.Helper()
	process, err := remote.Launch(t.Context(), command)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, process.Stop(ctx))
	})
	return process
}
