package kcat

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"odradek.dev/sdk/record"
)

func (s *suite) metadata(ctx context.Context) error {
	if err := s.kcat.produce(ctx, "metadata", "one\n"); err != nil {
		return err
	}
	out, err := s.kcat.run(ctx, "", "-L")
	if err != nil {
		return err
	}
	for _, wanted := range []string{"1 brokers:", " at " + s.broker.Addr, `topic "metadata" with 1 partitions`, "partition 0, leader"} {
		if !strings.Contains(out, wanted) {
			return fmt.Errorf("kcat -L does not say %q:\n%s", wanted, out)
		}
	}
	return nil
}

// roundTrip moves the whole text through one codec.
func (s *suite) roundTrip(codec string) func(context.Context) error {
	return func(ctx context.Context) error {
		topic := "text-" + codec
		if err := s.kcat.produce(ctx, topic, "", "-z", codec, "-l", s.text); err != nil {
			return err
		}
		if err := s.storedWith(topic, codec); err != nil {
			return err
		}
		got, err := s.kcat.consume(ctx, topic, "-o", "beginning")
		if err != nil {
			return err
		}
		want, err := os.ReadFile(s.text)
		if err != nil {
			return err
		}
		return equal(got, string(want))
	}
}

// storedWith looks at the log: librdkafka sends batches uncompressed, without a
// word, to a broker that lacks what it takes for a sign of the codec.
func (s *suite) storedWith(topic, codec string) error {
	log, err := os.ReadFile(filepath.Join(s.broker.DataDir, topic+"-0", "00000000000000000000.log"))
	if err != nil {
		return err
	}
	batch, _, ok := record.Next(log)
	if !ok {
		return fmt.Errorf("the log of %s does not begin with a batch", topic)
	}
	if got := batch.Compression(); got != attributes[codec] {
		return fmt.Errorf("the first batch of %s has codec %d, not %d", topic, got, attributes[codec])
	}
	return nil
}

// attributes are the codecs' numbers in a batch.
var attributes = map[string]int8{"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}

func (s *suite) keysHeadersTimestamps(ctx context.Context) error {
	began := time.Now().UnixMilli()
	if err := s.kcat.produce(ctx, "keys", "alice:hello\nbob:a:b\n", "-K", ":", "-H", "trace=42", "-H", "empty="); err != nil {
		return err
	}
	ended := time.Now().UnixMilli()
	out, err := s.kcat.consume(ctx, "keys", "-o", "beginning", "-f", `%k|%s|%h|%p|%o\n`)
	if err != nil {
		return err
	}
	if err := equal(out, "alice|hello|trace=42,empty=|0|0\nbob|a:b|trace=42,empty=|0|1\n"); err != nil {
		return err
	}
	times, err := s.timestamps(ctx, "keys")
	if err != nil {
		return err
	}
	for _, ms := range times {
		if ms < began || ms > ended {
			return fmt.Errorf("timestamp %d is not between %d and %d", ms, began, ended)
		}
	}
	return nil
}

func (s *suite) timestamps(ctx context.Context, topic string) ([]int64, error) {
	out, err := s.kcat.consume(ctx, topic, "-o", "beginning", "-f", `%T\n`)
	if err != nil {
		return nil, err
	}
	var times []int64
	for _, text := range strings.Fields(out) {
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		times = append(times, ms)
	}
	if len(times) == 0 {
		return nil, fmt.Errorf("topic %s has no records", topic)
	}
	return times, nil
}

func (s *suite) emptyAndNull(ctx context.Context) error {
	if err := s.kcat.produce(ctx, "nulls", "k1:\nk2:v\n", "-K", ":", "-Z"); err != nil {
		return err
	}
	if err := s.kcat.produce(ctx, "nulls", "k3:\n", "-K", ":"); err != nil {
		return err
	}
	out, err := s.kcat.consume(ctx, "nulls", "-o", "beginning", "-f", `%k %S\n`)
	if err != nil {
		return err
	}
	return equal(out, "k1 -1\nk2 1\nk3 0\n")
}

// equal says where two long texts part.
func equal(got, want string) error {
	if got == want {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	return fmt.Errorf("got %d bytes, want %d; they part at byte %d: got %q, want %q",
		len(got), len(want), at, excerpt(got, at), excerpt(want, at))
}

func excerpt(text string, at int) string { return text[at:min(len(text), at+60)] }
