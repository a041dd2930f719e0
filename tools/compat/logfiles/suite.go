// Package logfiles holds what Odradek leaves on a disk against Kafka's own
// reader of log files, and has each broker serve the other's files.
package logfiles

import (
	"context"
	"errors"
	"path/filepath"

	"odradek.dev/tools/compat/sample"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

const topic = "exchanged"

type suite struct {
	ours    *brokerproc.Broker
	theirs  *kafkadist.Broker
	tools   *kafkadist.Tools
	records []sample.Record
	// history is all that was ever written to the compacted topic.
	history []sample.Record
}

// Run starts both brokers, and stops and kills them as it goes.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string) (err error) {
	// The JVM of the tools ends with it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &suite{}
	if s.ours, err = brokerproc.New(odradek, dir, "-X", eager); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.ours.Kill()) }()
	if s.theirs, err = kafka.NewBroker(filepath.Join(dir, "kafka")); err != nil {
		return err
	}
	s.theirs.Settings = []string{eager}
	defer func() { err = errors.Join(err, s.theirs.Stop()) }()
	if err := errors.Join(s.ours.Start(ctx), s.theirs.Start(ctx)); err != nil {
		return err
	}
	if s.tools, err = kafka.StartTools(ctx, dir); err != nil {
		return err
	}
	t.Run(ctx, "log files", []scenario.Scenario{
		{Name: "odradek writes several segments with every codec", Run: s.writeOurs},
		{Name: "kafka-dump-log finds them whole after kill -9", Run: func(context.Context) error { return errors.Join(s.ours.Kill(), s.dump()) }},
		{Name: "odradek serves them after kill -9", Run: s.restartOurs},
		{Name: "kafka-dump-log finds them whole after a clean stop", Run: func(context.Context) error { return errors.Join(s.ours.Stop(), s.dump()) }},
		{Name: "kafka serves odradek's files", Run: s.theirsServesOurs},
		{Name: "kafka writes several segments with every codec", Run: s.writeTheirs},
		{Name: "odradek serves kafka's files", Run: s.oursServesTheirs},
		{Name: "odradek serves kafka's files after kill -9, and appends to them", Run: s.appendAfterKill},
		{Name: "kafka-dump-log finds kafka's files whole that odradek appended to", Run: func(context.Context) error { return errors.Join(s.ours.Stop(), s.dump()) }},
		{Name: "odradek compacts several segments", Run: s.compactOurs},
		{Name: "kafka-dump-log finds what odradek compacted whole, and odradek serves it, after kill -9", Run: s.killCompacted},
		{Name: "kafka serves what odradek compacted", Run: s.theirsServesCompacted},
		{Name: "kafka writes more and compacts it", Run: s.compactTheirs},
		{Name: "odradek serves what kafka compacted", Run: s.oursServesCompacted},
		{Name: "odradek writes more and compacts what kafka compacted", Run: s.compactAgain},
		{Name: "kafka-dump-log finds whole what both compacted", Run: s.dumpStopped},
	})
	return s.tools.Close()
}
