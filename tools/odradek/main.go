// Command odradek is the broker and its tools in one binary.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

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
	ctx := untilSignal()
	if err := rootCommand(version, distribution.Modules()).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "odradek:", err)
		os.Exit(1)
	}
}

// untilSignal returns a context that ends at the first SIGINT or SIGTERM. The
// second ends the process, so that a stop that hangs can be cut short.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		second := <-signals
		fmt.Fprintln(os.Stderr, "odradek: second signal, stopping at once")
		os.Exit(exitStatus(second))
	}()
	return ctx
}

// exitStatus is what a shell reports for a process that the signal ended.
func exitStatus(s os.Signal) int {
	if number, ok := s.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 1
}
