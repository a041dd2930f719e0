package kcat

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// textTopic was filled by an earlier scenario: record N is line N.
const textTopic = "text-zstd"

func (s *suite) textLines(from, to int) (string, error) {
	content, err := os.ReadFile(s.text)
	if err != nil {
		return "", err
	}
	return strings.Join(strings.SplitAfter(string(content), "\n")[from:to], ""), nil
}

func (s *suite) fromOffset(ctx context.Context) error {
	// An offset in the middle of a compressed batch.
	from := s.lines/2 + 1
	got, err := s.kcat.consume(ctx, textTopic, "-o", strconv.Itoa(from), "-c", "1000")
	if err != nil {
		return err
	}
	want, err := s.textLines(from, from+1000)
	if err != nil {
		return err
	}
	return equal(got, want)
}

func (s *suite) fromTail(ctx context.Context) error {
	got, err := s.kcat.consume(ctx, textTopic, "-o", "-10")
	if err != nil {
		return err
	}
	want, err := s.textLines(s.lines-10, s.lines)
	if err != nil {
		return err
	}
	return equal(got, want)
}

// fromEnd starts a consumer at the end of a topic and produces only once it
// has said that it is there.
func (s *suite) fromEnd(ctx context.Context) error {
	if err := s.kcat.produce(ctx, "live", "before\n"); err != nil {
		return err
	}
	consumer := s.kcat.command(ctx, "-C", "-t", "live", "-p", "0", "-o", "end", "-c", "1")
	var stdout bytes.Buffer
	consumer.Stdout = &stdout
	stderr, err := consumer.StderrPipe()
	if err != nil {
		return err
	}
	if err := consumer.Start(); err != nil {
		return err
	}
	if err := waitLine(stderr, "Reached end of topic"); err != nil {
		return err
	}
	if err := s.kcat.produce(ctx, "live", "after\n"); err != nil {
		return err
	}
	if err := consumer.Wait(); err != nil {
		return fmt.Errorf("the waiting consumer: %w", err)
	}
	return equal(stdout.String(), "after\n")
}

func (s *suite) byTime(ctx context.Context) error {
	for _, input := range []string{"a1\na2\n", "b1\nb2\n"} {
		if err := s.kcat.produce(ctx, "times", input); err != nil {
			return err
		}
	}
	times, err := s.timestamps(ctx, "times")
	if err != nil {
		return err
	}
	if len(times) != 4 || times[1] >= times[2] {
		return fmt.Errorf("the timestamps %v do not part the two runs of kcat", times)
	}
	second := strconv.FormatInt(times[2], 10)
	got, err := s.kcat.consume(ctx, "times", "-o", "s@"+second)
	if err != nil {
		return err
	}
	if err := equal(got, "b1\nb2\n"); err != nil {
		return fmt.Errorf("from %s on: %w", second, err)
	}
	got, err = s.kcat.consume(ctx, "times", "-o", "s@"+strconv.FormatInt(times[0], 10), "-o", "e@"+second)
	if err != nil {
		return err
	}
	if err := equal(got, "a1\na2\n"); err != nil {
		return fmt.Errorf("until %s: %w", second, err)
	}
	return nil
}
