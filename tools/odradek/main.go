// Command odradek is the broker and its tools in one binary.
package main

import (
	"fmt"
	"os"

	"odradek.dev/core/broker"
	"odradek.dev/sdk/remote"

	"odradek.dev/tools/odradek/distribution"
)

// version is set by the linker.
var version = "dev"

func main() {
	if remote.IsModuleProcess() {
		remote.Serve(distribution.Modules()...)
		return
	}
	if err := rootCommand(version, distribution.Modules()).ExecuteContext(broker.UntilSignal()); err != nil {
		fmt.Fprintln(os.Stderr, "odradek:", err)
		os.Exit(1)
	}
}
