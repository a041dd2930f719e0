// Command gomember is one member of a consumer group, by one of the client
// libraries of Go. It prints the events of package event, and leaves the group
// when its input ends.
//
//	gomember LIBRARY ADDR GROUP PROTOCOL TOPIC SESSION-MS REBALANCE-MS
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// membership is what every library is told.
type membership struct {
	addr, group, protocol, topic string
	session, rebalance           time.Duration
}

// consume is a library: it consumes until ctx ends, and leaves the group.
type consume func(ctx context.Context, m membership, r *reporter) error

var libraries = map[string]consume{"franz-go": consumeFranz, "sarama": consumeSarama, "kafka-go": consumeKafkaGo}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gomember:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 7 {
		return fmt.Errorf("%d arguments, want LIBRARY ADDR GROUP PROTOCOL TOPIC SESSION-MS REBALANCE-MS", len(args))
	}
	library, known := libraries[args[0]]
	if !known {
		return fmt.Errorf("no library %q", args[0])
	}
	m := membership{addr: args[1], group: args[2], protocol: args[3], topic: args[4]}
	for i, timeout := range []*time.Duration{&m.session, &m.rebalance} {
		ms, err := strconv.Atoi(args[5+i])
		if err != nil {
			return err
		}
		*timeout = time.Duration(ms) * time.Millisecond
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // whatever ends it
		leave()
	}()
	return library(ctx, m, &reporter{out: os.Stdout})
}
