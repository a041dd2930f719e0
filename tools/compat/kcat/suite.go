// Package kcat drives a broker with Debian's kcat, which is librdkafka on a
// command line.
package kcat

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
)

// suite is what the scenarios share.
type suite struct {
	broker *brokerproc.Broker
	kcat   kcat
	// text is a file of many lines.
	text  string
	lines int
}

// lines is how many the text has that is moved.
const lines = 120_000

// Run starts a broker and runs the scenarios, each on a topic of its own. The
// last ones measure the broker at rest and stop it.
func Run(ctx context.Context, t *scenario.Tally, odradek, dir string) error {
	path, err := exec.LookPath("kcat")
	if err != nil {
		return fmt.Errorf("%w; on Debian: apt-get install kcat", err)
	}
	text, err := writeText(dir, lines)
	if err != nil {
		return err
	}
	b, err := brokerproc.New(odradek, dir)
	if err != nil {
		return err
	}
	if err := b.Start(ctx); err != nil {
		return errors.Join(err, b.Kill())
	}
	s := &suite{broker: b, kcat: kcat{path: path, bootstrap: b.Addr}, text: text, lines: lines}
	t.Run(ctx, "kcat", s.scenarios())
	return b.Kill()
}

func (s *suite) scenarios() []scenario.Scenario {
	all := []scenario.Scenario{{Name: "lists metadata", Run: s.metadata}}
	for _, codec := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		all = append(all, scenario.Scenario{Name: "moves a text file with codec " + codec, Run: s.roundTrip(codec)})
	}
	return append(all,
		scenario.Scenario{Name: "keeps keys, headers and timestamps", Run: s.keysHeadersTimestamps},
		scenario.Scenario{Name: "keeps empty and null values apart", Run: s.emptyAndNull},
		scenario.Scenario{Name: "reads from an offset", Run: s.fromOffset},
		scenario.Scenario{Name: "reads the last records", Run: s.fromTail},
		scenario.Scenario{Name: "waits at the end", Run: s.fromEnd},
		scenario.Scenario{Name: "reads by time", Run: s.byTime},
		scenario.Scenario{Name: "the broker is idle when nobody asks", Run: s.idle},
		scenario.Scenario{Name: fmt.Sprintf("the broker stops on SIGTERM within %v", stopWithin), Run: s.stop},
	)
}

// stopWithin is what a broker has to stop. With no more to do than here it takes
// some hundredths of that.
const stopWithin = 5 * time.Second

func (s *suite) stop(context.Context) error {
	began := time.Now()
	if err := s.broker.Stop(); err != nil {
		return err
	}
	if took := time.Since(began); took > stopWithin {
		return fmt.Errorf("it took %v", took)
	}
	return nil
}
