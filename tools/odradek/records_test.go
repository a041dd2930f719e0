package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/odradek/distribution"
)

func TestTopics(t *testing.T) {
	s := newSession(t)
	s.must("", "topic", "create", "orders", "payments", "--partitions", "3", "-c", "retention.ms=60000")
	require.Equal(t, "TOPIC     PARTITIONS  REPLICATION\norders    3           1\npayments  3           1\n", s.must("", "topic", "list"))

	require.Equal(t, `topic "orders" exists already`, s.fails("", "topic", "create", "orders"))
	s.must("", "topic", "create", "orders", "--if-not-exists")
	require.Contains(t, s.fails("", "topic", "create", "more", "-c", "retention.msec=1"), "retention.msec")
	require.Contains(t, s.fails("", "topic", "create", "more", "-c", "retention.ms"), "is not key=value")

	described := s.must("", "topic", "describe", "orders")
	require.Contains(t, described, "3 partitions")
	require.Regexp(t, `retention\.ms +60000`, described)
	require.Regexp(t, `(?m)^2 +1 +\d+ +\[1\] +\[1\] +0 +0$`, described)

	require.Equal(t, "deleted  orders\n", s.must("", "topic", "delete", "orders"))
	require.Contains(t, s.fails("", "topic", "delete", "orders"), `topic "orders" does not exist`)
	s.must("", "topic", "delete", "orders", "--if-exists")
	require.Contains(t, s.fails("", "topic", "describe", "orders"), "odradek topic create orders")
}

func TestProduceAndConsumeEveryCodec(t *testing.T) {
	s := newSession(t)
	var input strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&input, "line %d of some text that repeats itself\n", i)
	}
	for _, codec := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		topic := "text-" + codec
		s.must("", "topic", "create", topic)
		out, err := s.run(input.String(), "produce", topic, "--compression", codec)
		require.NoError(t, err)
		require.Contains(t, out.stderr, "5000 records")
		require.Equal(t, input.String(), s.must("", "consume", topic, "--exit-at-end"), codec)
	}
}

func TestProduceFromFilesWithEveryAcks(t *testing.T) {
	s := newSession(t)
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	require.NoError(t, os.WriteFile(one, []byte("a\nb\n"), 0o600))
	require.NoError(t, os.WriteFile(two, []byte("c"), 0o600))
	for _, acks := range []string{"all", "1", "0"} {
		topic := "files-" + acks
		s.must("", "topic", "create", topic)
		summary := decode[struct {
			Records int
			Bytes   int `json:"value_bytes"`
		}](t, s.must("", "produce", topic, one, two, "--acks", acks, "-o", "json"))
		require.Equal(t, 3, summary.Records)
		require.Equal(t, 3, summary.Bytes)
		require.Equal(t, "a\nb\nc\n", s.must("", "consume", topic, "--count", "3"))
	}
	require.Contains(t, s.fails("", "produce", "files-1", "--acks", "2"), "--acks")
	require.Contains(t, s.fails("", "produce", "files-1", filepath.Join(t.TempDir(), "none")), "no such file")
}

func TestKeysAndHeaders(t *testing.T) {
	s := newSession(t)
	s.must("", "topic", "create", "chat")
	s.must("alice:hello: you\nno key\n:empty key\n", "produce", "chat", "--key-separator", ":", "--header", "from=test=1")
	require.Equal(t, "5 alice hello: you from=test=1\n0  no key from=test=1\n0  empty key from=test=1\n",
		s.must("", "consume", "chat", "--exit-at-end", "--format", `%K %k %v %h{%k=%v}\n`))
	lines := strings.Split(s.must("", "consume", "chat", "--exit-at-end", "-o", "json"), "\n")
	require.Contains(t, lines[1], `"key":null`)
	require.Contains(t, lines[2], `"key":""`)
	require.Contains(t, s.fails("", "produce", "chat", "--header", "oops"), "is not name=value")
}

func TestProducePutsKeysWhereExplainSays(t *testing.T) {
	s := newSession(t)
	for _, partitioner := range []string{"sticky", "murmur2", "fnv1a", "crc32"} {
		s.must("", "topic", "create", partitioner, "--partitions", "7")
		s.must("alice:1\nbob:2\ncarol:3\n", "produce", partitioner, "--key-separator", ":", "--partitioner", partitioner)
		got := map[string]string{}
		for _, text := range strings.Fields(s.must("", "consume", partitioner, "--exit-at-end", "--format", `%k=%p\n`)) {
			key, partition, _ := strings.Cut(text, "=")
			got[key] = partition
		}
		out, err := command(t, "", "partition", "explain", "--partitions", "7", "--key", "alice", "--key", "bob", "--key", "carol")
		require.NoError(t, err)
		require.Contains(t, strings.Join(strings.Fields(out.stdout), " "),
			strings.Join([]string{partitioner, "built in", got["alice"], got["bob"], got["carol"]}, " "))
	}
}

// TestProduceAsksTheBrokerForOtherPartitioners removes a module from the
// client's distribution, so that the broker alone has it.
func TestProduceAsksTheBrokerForOtherPartitioners(t *testing.T) {
	s := newSession(t, "partitioner.call.timeout.ms=60000") // no other stands in for it
	s.must("", "topic", "create", "remote", "--partitions", "5")
	run := func(partitioner string) (string, error) {
		root := rootCommand("test", nil)
		root.SetIn(strings.NewReader(strings.Repeat("alice:x\n", 2500)))
		var out strings.Builder
		root.SetOut(&out)
		root.SetArgs([]string{"produce", "remote", "--bootstrap", s.broker.Bootstrap, "--admin", s.broker.Admin,
			"--partitioner", partitioner, "--key-separator", ":", "-o", "json"})
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	summary, err := run("crc32")
	require.NoError(t, err)
	require.Contains(t, summary, `"records": 2500`)
	out, err := command(t, "", "partition", "explain", "--partitions", "5", "--key", "alice", "-o", "json")
	require.NoError(t, err)
	document := decode[struct {
		Decisions []struct {
			Partitioner string
			Partitions  []int
		}
	}](t, out.stdout)
	for _, d := range document.Decisions {
		if d.Partitioner == "crc32" {
			s.must("", "consume", "remote", "--count", "2500", "--partition", strconv.Itoa(d.Partitions[0]))
		}
	}
	_, err = run("nobody")
	require.ErrorContains(t, err, `partitioner "nobody" is not built in`)
}

func TestProduceRefusals(t *testing.T) {
	s := newSession(t, "auto.create.topics.enable=true")
	s.must("", "topic", "create", "t", "--partitions", "2")
	require.Contains(t, s.fails("x\n", "produce", "missing"), "odradek topic create missing")
	require.NotContains(t, s.must("", "topic", "list"), "missing", "asking must not create")
	require.Contains(t, s.fails("x\n", "produce", "t", "--partition", "2"), "it has 0 to 1")
	require.Contains(t, s.fails("x\n", "produce", "t", "--compression", "brotli"), "brotli")
	said := s.fails("short\nmuch too long\n", "produce", "t", "--max-message-bytes", "6", "--partition", "1")
	require.Contains(t, said, "stopped after 1 acknowledged records")
	require.Contains(t, said, "line 2 of standard input is longer than 6 bytes")

	s.must("", "topic", "create", "small", "-c", "max.message.bytes=1000")
	said = s.fails(strings.Repeat("x", 2000)+"\n", "produce", "small")
	require.Contains(t, said, "stopped after 0 acknowledged records")
	require.Contains(t, said, "max.message.bytes")

	s.must("x\n", "produce", "made", "--auto-create")
	require.Equal(t, "x\n", s.must("", "consume", "made", "--exit-at-end"))
}

func TestConsumeFromEveryPosition(t *testing.T) {
	s := newSession(t)
	s.must("", "topic", "create", "t")
	s.must("0\n1\n2\n3\n4\n", "produce", "t", "--partition", "0")
	for from, want := range map[string]string{
		"beginning": "0\n1\n2\n3\n4\n", "2": "2\n3\n4\n", "-2": "3\n4\n", "-99": "0\n1\n2\n3\n4\n", "end": "", "5": "",
		"@0": "0\n1\n2\n3\n4\n", "@-1h": "0\n1\n2\n3\n4\n", "@1h": "", "2000-01-01T00:00:00Z": "0\n1\n2\n3\n4\n",
	} {
		require.Equal(t, want, s.must("", "consume", "t", "--from", from, "--exit-at-end"), "--from %s", from)
	}
	require.Equal(t, "1\n2\n", s.must("", "consume", "t", "--from", "1", "--count", "2"))
	require.Contains(t, s.fails("", "consume", "t", "--from", "6"), "offsets 0 to 5")
	require.Contains(t, s.fails("", "consume", "t", "--partition", "1"), "no partition 1")
	require.Contains(t, s.fails("", "consume", "missing"), "odradek topic create missing")
}

func TestConsumeShowsARecordAsItArrives(t *testing.T) {
	s := newSession(t)
	s.must("", "topic", "create", "live")
	s.must("first\n", "produce", "live")
	reader, writer := io.Pipe()
	root := rootCommand("test", distribution.Modules())
	root.SetOut(writer)
	root.SetArgs([]string{"consume", "live", "--count", "2", "--bootstrap", s.broker.Bootstrap})
	ended := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(t.Context())
		writer.Close()
		ended <- err
	}()
	lines := bufio.NewScanner(reader)
	require.True(t, lines.Scan())
	require.Equal(t, "first", lines.Text())
	s.must("second\n", "produce", "live")
	require.True(t, lines.Scan())
	require.Equal(t, "second", lines.Text())
	require.False(t, lines.Scan())
	require.NoError(t, <-ended)
}
