package logfiles

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"odradek.dev/tools/compat/sample"
)

// compacted is the topic whose partition both cleaners work on.
const compacted = "compacted"

// eager has a cleaner look again after so many milliseconds.
const eager = "log.cleaner.backoff.ms=50"

// lag is the config of a topic that holds its cleaner up: what one broker made
// of a directory is to be read by the other before it makes something else of
// it.
const (
	lag      = "min.compaction.lag.ms"
	heldUp   = "9223372036854775807"
	atOnce   = "0"
	segments = 1 << 20
)

func createCompacted(ctx context.Context, addr, lagMs string) error {
	return sample.CreateTopic(ctx, addr, compacted, map[string]string{
		"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "segment.bytes": strconv.Itoa(segments), lag: lagMs,
	})
}

// chunk is how many records are written with one codec, by one producer: the
// cleaner keeps the last batch of each producer, even if nothing is left in it.
const chunk = 100

// writeKeyed appends records whose keys were seen before or will be seen again.
func (s *suite) writeKeyed(ctx context.Context, addr string, seed uint64, count int) error {
	records := sample.Keyed(seed, count)
	number := 0
	for part := range slices.Chunk(records, chunk) {
		if err := sample.Write(ctx, addr, compacted, sample.Codecs[number%len(sample.Codecs)], part); err != nil {
			return err
		}
		number++
	}
	s.history = append(s.history, numbered(records, len(s.history))...)
	return nil
}

// survivors are the records that compaction leaves if it has come to an offset:
// before it the last one of each key, and all behind it.
func survivors(history []sample.Record, cleanedTo int64) (kept []sample.Record) {
	last := map[string]int64{}
	for _, r := range history {
		if r.Offset < cleanedTo {
			last[string(r.Key)] = r.Offset
		}
	}
	for _, r := range history {
		if r.Offset >= cleanedTo || last[string(r.Key)] == r.Offset {
			kept = append(kept, r)
		}
	}
	return kept
}

// logs are the base offsets of the segments in a data directory.
func logs(dataDir string) (bases []int64, err error) {
	files, err := filepath.Glob(filepath.Join(dataDir, compacted+"-0", "*.log"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		base, err := strconv.ParseInt(strings.TrimSuffix(filepath.Base(file), ".log"), 10, 64)
		if err != nil {
			return nil, err
		}
		bases = append(bases, base)
	}
	if len(bases) == 0 {
		return nil, fmt.Errorf("no segment of %s in %s", compacted, dataDir)
	}
	return bases, nil
}

// expectCompacted reads the topic, of which all but the active segment is to be
// compacted, and looks at what there is to read: merged segments, gaps and
// tombstones.
func (s *suite) expectCompacted(ctx context.Context, addr, dataDir string) error {
	bases, err := logs(dataDir)
	if err != nil {
		return err
	}
	got, err := sample.Read(ctx, addr, compacted)
	if err != nil {
		return err
	}
	cleanedTo := bases[len(bases)-1]
	want := survivors(s.history, cleanedTo)
	if err := sample.Difference(got, want); err != nil {
		return err
	}
	written, tombstones := 0, 0
	for _, r := range s.history {
		written += len(r.Value)
	}
	for _, r := range want {
		if r.Value == nil && r.Offset < cleanedTo {
			tombstones++
		}
	}
	if len(bases) < 3 || len(bases) > written/segments || len(want) == len(s.history) || tombstones == 0 {
		return fmt.Errorf("%d segments for %d bytes written, %d of %d records, %d tombstones: this is not what is to be read", len(bases), written, len(want), len(s.history), tombstones)
	}
	return nil
}

// compactedWithin is how long a cleaner has for some MiB.
const compactedWithin = time.Minute

func (s *suite) awaitCompacted(ctx context.Context, addr, dataDir string) error {
	ctx, cancel := context.WithTimeout(ctx, compactedWithin)
	defer cancel()
	for {
		err := s.expectCompacted(ctx, addr, dataDir)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not compacted within %v: %w", compactedWithin, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *suite) compactOurs(ctx context.Context) error {
	if err := errors.Join(s.ours.Start(ctx), createCompacted(ctx, s.ours.Addr, atOnce), s.writeKeyed(ctx, s.ours.Addr, 1, 5000)); err != nil {
		return err
	}
	return s.awaitCompacted(ctx, s.ours.Addr, s.ours.DataDir)
}

// dumpCompacted has Kafka read every file of a partition that is compacted.
func (s *suite) dumpCompacted(dataDir string) error {
	bases, err := logs(dataDir)
	if err != nil {
		return err
	}
	return s.dumpFolder(filepath.Join(dataDir, compacted+"-0"), len(survivors(s.history, bases[len(bases)-1])), gaps)
}

func (s *suite) killCompacted(ctx context.Context) error {
	if err := errors.Join(sample.Alter(ctx, s.ours.Addr, compacted, lag, heldUp), s.ours.Kill(), s.dumpCompacted(s.ours.DataDir)); err != nil {
		return err
	}
	if err := s.ours.Start(ctx); err != nil {
		return err
	}
	return s.expectCompacted(ctx, s.ours.Addr, s.ours.DataDir)
}

func (s *suite) theirsServesCompacted(ctx context.Context) error {
	if err := errors.Join(s.theirs.Start(ctx), createCompacted(ctx, s.theirs.Addr, heldUp), s.theirs.Stop(), s.ours.Stop()); err != nil {
		return err
	}
	if err := errors.Join(replace(s.theirs.DataDir, s.ours.DataDir, compacted), s.theirs.Start(ctx)); err != nil {
		return err
	}
	return s.expectCompacted(ctx, s.theirs.Addr, s.theirs.DataDir)
}

func (s *suite) compactTheirs(ctx context.Context) error {
	if err := errors.Join(s.writeKeyed(ctx, s.theirs.Addr, 2, 3000), sample.Alter(ctx, s.theirs.Addr, compacted, lag, atOnce)); err != nil {
		return err
	}
	return s.awaitCompacted(ctx, s.theirs.Addr, s.theirs.DataDir)
}

func (s *suite) oursServesCompacted(ctx context.Context) error {
	if err := errors.Join(s.theirs.Stop(), replace(s.ours.DataDir, s.theirs.DataDir, compacted), s.ours.Start(ctx)); err != nil {
		return err
	}
	return errors.Join(s.expectCompacted(ctx, s.ours.Addr, s.ours.DataDir), s.dumpCompacted(s.theirs.DataDir))
}

func (s *suite) compactAgain(ctx context.Context) error {
	if err := errors.Join(s.writeKeyed(ctx, s.ours.Addr, 3, 3000), sample.Alter(ctx, s.ours.Addr, compacted, lag, atOnce)); err != nil {
		return err
	}
	return s.awaitCompacted(ctx, s.ours.Addr, s.ours.DataDir)
}

func (s *suite) dumpStopped(context.Context) error {
	return errors.Join(s.ours.Stop(), s.dumpCompacted(s.ours.DataDir))
}
