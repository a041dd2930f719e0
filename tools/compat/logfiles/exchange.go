package logfiles

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"odradek.dev/tools/compat/sample"
)

// segmentBytes leaves room for one batch with the largest value.
var segmentBytes = map[string]string{"segment.bytes": "2097152"}

// write creates the topic and fills it: a MiB and more with each codec, and
// then some. It returns all records with their offsets.
func write(ctx context.Context, addr string) ([]sample.Record, error) {
	if err := sample.CreateTopic(ctx, addr, topic, segmentBytes); err != nil {
		return nil, err
	}
	var all []sample.Record
	for seed, codec := range sample.Codecs {
		records := sample.Records(uint64(seed))
		if err := sample.Write(ctx, addr, topic, codec, records); err != nil {
			return nil, err
		}
		all = append(all, numbered(records, len(all))...)
	}
	return all, nil
}

func numbered(records []sample.Record, from int) []sample.Record {
	for i := range records {
		records[i].Offset = int64(from + i)
	}
	return records
}

func (s *suite) expect(ctx context.Context, addr string) error {
	got, err := sample.Read(ctx, addr, topic)
	if err != nil {
		return err
	}
	return sample.Difference(got, s.records)
}

func (s *suite) writeOurs(ctx context.Context) (err error) {
	if s.records, err = write(ctx, s.ours.Addr); err != nil {
		return err
	}
	return s.expect(ctx, s.ours.Addr)
}

func (s *suite) restartOurs(ctx context.Context) error {
	if err := s.ours.Start(ctx); err != nil {
		return err
	}
	return s.expect(ctx, s.ours.Addr)
}

// theirsServesOurs gives our files to Kafka, under a topic of the same name
// that it knows already.
func (s *suite) theirsServesOurs(ctx context.Context) error {
	if err := sample.CreateTopic(ctx, s.theirs.Addr, topic, segmentBytes); err != nil {
		return err
	}
	if err := s.theirs.Stop(); err != nil {
		return err
	}
	if err := replace(s.theirs.DataDir, s.ours.DataDir, topic); err != nil {
		return err
	}
	if err := s.theirs.Start(ctx); err != nil {
		return err
	}
	return s.expect(ctx, s.theirs.Addr)
}

// writeTheirs appends to the files in Kafka.
func (s *suite) writeTheirs(ctx context.Context) error {
	for seed, codec := range sample.Codecs {
		records := sample.Records(uint64(100 + seed))
		if err := sample.Write(ctx, s.theirs.Addr, topic, codec, records); err != nil {
			return err
		}
		s.records = append(s.records, numbered(records, len(s.records))...)
	}
	return s.expect(ctx, s.theirs.Addr)
}

// oursServesTheirs takes back what Kafka made of the files.
func (s *suite) oursServesTheirs(ctx context.Context) error {
	if err := errors.Join(s.theirs.Stop(), s.ours.Stop()); err != nil {
		return err
	}
	if err := replace(s.ours.DataDir, s.theirs.DataDir, topic); err != nil {
		return err
	}
	return s.restartOurs(ctx)
}

func (s *suite) appendAfterKill(ctx context.Context) error {
	more := sample.Records(200)
	if err := sample.Write(ctx, s.ours.Addr, topic, "zstd", more); err != nil {
		return err
	}
	s.records = append(s.records, numbered(more, len(s.records))...)
	if err := s.ours.Kill(); err != nil {
		return err
	}
	return s.restartOurs(ctx)
}

// keep is what stays of a partition's folder: it has the topic's id, which each
// broker gave itself.
const keep = "partition.metadata"

// replace puts the files of one broker's partition into the other's folder for
// it.
func replace(into, from, topic string) error {
	into, from = filepath.Join(into, topic+"-0"), filepath.Join(from, topic+"-0")
	old, err := os.ReadDir(into)
	if err != nil {
		return err
	}
	for _, entry := range old {
		if entry.Name() != keep {
			if err := os.Remove(filepath.Join(into, entry.Name())); err != nil {
				return err
			}
		}
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range files {
		if entry.Name() == keep {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(into, entry.Name()), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
