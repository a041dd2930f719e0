package broker

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// sentAsOne is how close signals are that somebody means as one: timeout(1), and
// make in a terminal, signal a process as such and as one of its group.
const sentAsOne = 500 * time.Millisecond

// UntilSignal is the context of a main function: it ends at the first SIGINT or
// SIGTERM. One that comes after [sentAsOne] ends the process, so that a stop that
// hangs can be cut short.
func UntilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		first := time.Now()
		cancel()
		for again := range signals {
			if time.Since(first) >= sentAsOne {
				fmt.Fprintf(os.Stderr, "%s: second signal, stopping at once\n", filepath.Base(os.Args[0]))
				os.Exit(exitStatus(again))
			}
		}
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
