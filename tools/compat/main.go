// Command compat starts a broker as a user would and drives it with other
// people's clients, kcat for now. It prints what passed and what failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"odradek.dev/tools/internal/brokerproc"
)

// scenario is one thing that a user does, from a topic of its own.
type scenario struct {
	name string
	run  func(ctx context.Context, s *suite) error
}

// suite is what the scenarios share.
type suite struct {
	broker *brokerproc.Broker
	kcat   kcat
	// text is a file of many lines.
	text  string
	lines int
}

const scenarioTimeout = 2 * time.Minute

func main() {
	odradek := flag.String("odradek", "bin/odradek", "the broker's binary")
	client := flag.String("kcat", "kcat", "kcat's binary")
	lines := flag.Int("lines", 120_000, "lines of the text that is moved")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	failed, err := run(ctx, *odradek, *client, *lines)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compat:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, odradek, client string, lines int) (failed int, err error) {
	path, err := exec.LookPath(client)
	if err != nil {
		return 0, fmt.Errorf("%w; on Debian: apt-get install kcat", err)
	}
	folder, err := os.MkdirTemp("", "odradek-compat-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	text, err := writeText(folder, lines)
	if err != nil {
		return 0, err
	}
	b, err := brokerproc.New(odradek, folder)
	if err != nil {
		return 0, err
	}
	if err := b.Start(ctx); err != nil {
		return 0, errors.Join(err, b.Kill())
	}
	s := &suite{broker: b, kcat: kcat{path: path, bootstrap: b.Addr}, text: text, lines: lines}
	passed := 0
	for _, one := range append(scenarios(), scenario{"stops on SIGTERM within 5 s", stops}) {
		if try(ctx, s, one) {
			passed++
		} else {
			failed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	return failed, b.Kill()
}

// stops is the last scenario.
func stops(_ context.Context, s *suite) error { return s.broker.Stop() }

func try(ctx context.Context, s *suite, one scenario) bool {
	ctx, cancel := context.WithTimeout(ctx, scenarioTimeout)
	defer cancel()
	began := time.Now()
	err := one.run(ctx, s)
	took := time.Since(began).Round(time.Millisecond)
	if err != nil {
		fmt.Printf("FAIL %s (%v): %v\n", one.name, took, err)
		return false
	}
	fmt.Printf("ok   %s (%v)\n", one.name, took)
	return true
}

func scenarios() []scenario {
	all := []scenario{{"kcat lists metadata", metadata}}
	for _, codec := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		all = append(all, scenario{"kcat moves a text file with codec " + codec, roundTrip(codec)})
	}
	return append(all,
		scenario{"kcat keeps keys, headers and timestamps", keysHeadersTimestamps},
		scenario{"kcat keeps empty and null values apart", emptyAndNull},
		scenario{"kcat reads from an offset", fromOffset},
		scenario{"kcat reads the last records", fromTail},
		scenario{"kcat waits at the end", fromEnd},
		scenario{"kcat reads by time", byTime},
		scenario{"the broker is idle when nobody asks", idle},
	)
}
