package house

import (
	"os"
	"testing"

	"odradek.dev/sdk/remote"

	"odradek.dev/tools/odradek/distribution"
)

// TestMain lets brokers of the tests start this binary as a module's process.
func TestMain(m *testing.M) {
	if remote.IsModuleProcess() {
		remote.Serve(distribution.Modules()...)
		return
	}
	os.Exit(m.Run())
}
