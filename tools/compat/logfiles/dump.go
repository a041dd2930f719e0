package logfiles

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"odradek.dev/tools/internal/kafkadist"
)

// complaints are parts of lines in which the tool finds something wrong, and of
// its failures.
var complaints = []string{
	"mismatch", "corrupt", "invalid bytes", "isvalid: false", "out of order", "non-consecutive", "is followed by", "could not", "error", "exception", "not found",
}

// decoders have the tool show keys and values as bytes.
const decoders = "--key-decoder-class org.apache.kafka.tools.api.DefaultDecoder --value-decoder-class org.apache.kafka.tools.api.DefaultDecoder"

// dump has Kafka read every file of our partition, and counts the records.
func (s *suite) dump() error {
	folder := filepath.Join(s.ours.DataDir, topic+"-0")
	for _, suffix := range []string{".log", ".index", ".timeindex", ".snapshot"} {
		files, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
		if err != nil {
			return err
		}
		if len(files) < 2 {
			return fmt.Errorf("%d files of %s in %s: want several segments", len(files), suffix, folder)
		}
	}
	return s.dumpFolder(folder, len(s.records), firstOffset)
}

// dumpFolder has Kafka read every file of a partition, which has so many
// records: those of a .log twice. What is expected of the tool to say is not
// held against the files.
func (s *suite) dumpFolder(folder string, want int, expected *regexp.Regexp) error {
	records := 0
	for _, kind := range []struct{ suffix, args string }{
		{".log", "--deep-iteration --print-data-log"},
		{".log", "--print-data-log " + decoders},
		{".index", "--index-sanity-check"},
		{".index", ""},
		{".timeindex", "--index-sanity-check"},
		{".timeindex", ""},
		{".snapshot", ""},
	} {
		files, err := filepath.Glob(filepath.Join(folder, "*"+kind.suffix))
		if err != nil {
			return err
		}
		for _, file := range files {
			found, err := s.dumpFile(file, kind.args, expected)
			if err != nil {
				return err
			}
			records += found
		}
	}
	if records != 2*want {
		return fmt.Errorf("kafka-dump-log sees %d records in %s, want %d", records, folder, 2*want)
	}
	return nil
}

// firstOffset matches what the tool says of every segment that does not begin
// at 0, Kafka's own included.
var firstOffset = regexp.MustCompile(`Non-consecutive offsets in \S+\n  -1 is followed by \d+(\n|$)`)

// gaps matches what it says of a compacted segment.
var gaps = regexp.MustCompile(`Non-consecutive offsets in \S+\n(  -?\d+ is followed by \d+(\n|$))+`)

// dumpFile returns how many records the tool sees in the file.
func (s *suite) dumpFile(file, args string, expected *regexp.Regexp) (records int, err error) {
	result, err := s.tools.Run(kafkadist.Call{
		Class: "org.apache.kafka.tools.DumpLogSegments", Args: append(strings.Fields(args), "--files", file),
	})
	if err != nil {
		return 0, err
	}
	var wrong []string
	for line := range strings.Lines(expected.ReplaceAllString(result.Stdout+result.Stderr, "")) {
		if strings.HasPrefix(line, "| offset: ") {
			records++
		}
		// What a record holds is not for searching: it is anything.
		line, _, _ = strings.Cut(strings.ToLower(line), " key: ")
		if slices.ContainsFunc(complaints, func(complaint string) bool { return strings.Contains(line, complaint) }) {
			wrong = append(wrong, strings.TrimSpace(line))
		}
	}
	if len(wrong) > 0 || result.Exit != 0 {
		return 0, fmt.Errorf("kafka-dump-log %s %s: exit status %d: %.1000q", args, filepath.Base(file), result.Exit, wrong)
	}
	return records, nil
}
