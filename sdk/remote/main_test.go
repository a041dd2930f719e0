package remote_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"odradek.dev/sdk/remote"
)

func TestMain(m *testing.M) {
	if remote.IsModuleProcess() {
		serveTestModule()
	}
	if mode := os.Getenv(envHost); mode != "" {
		runTestHost(mode)
	}
	goleak.VerifyTestMain(m)
}
