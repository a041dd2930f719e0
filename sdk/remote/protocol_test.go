package remote

import (
	"context"
	"encoding/hex"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/remote/internal/frame"
)

// example returns the bytes of a block of PROTOCOL.md.
func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("PROTOCOL.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```hex "+name+"\n")
	require.True(t, found)
	block, _, _ := strings.Cut(rest, "```")
	digits := regexp.MustCompile(`^(?:[0-9a-f]{2,} ?)+(?:  |$)`)
	var out []byte
	for line := range strings.Lines(block) {
		part := strings.ReplaceAll(digits.FindString(strings.TrimSpace(line)), " ", "")
		raw, err := hex.DecodeString(part)
		require.NoError(t, err)
		require.NotEmpty(t, raw, line)
		out = append(out, raw...)
	}
	return out
}

type examplePartitioner struct {
	got    partitioner.Batch
	answer []int32
	err    error
}

func (p *examplePartitioner) Assign(_ context.Context, batch partitioner.Batch) ([]int32, error) {
	p.got = batch
	p.got.Keys.Data = append([]byte(nil), batch.Keys.Data...)
	return p.answer, p.err
}

func TestWorkedExampleOfTheProtocol(t *testing.T) {
	batch := partitioner.Batch{
		Topic: partitioner.Topic{Name: "orders", Partitions: 12, Epoch: 7},
		Keys:  record.Blobs{Data: []byte("a"), Lens: []int32{1, -1}}, Sizes: []int32{70, 64},
	}
	for name, p := range map[string]*examplePartitioner{
		"answer":  {answer: []int32{3, 9}},
		"failure": {err: module.Retriablef("not now")},
	} {
		host, child := socketpair(t)
		served := make(chan error)
		go func() { served <- frame.Serve(child, partitionerFrames(p)) }()
		require.NoError(t, host.SetDeadline(time.Now().Add(time.Minute)))
		_, err := host.Write(example(t, "request"))
		require.NoError(t, err)
		want := example(t, name)
		got := make([]byte, len(want))
		_, err = io.ReadFull(host, got)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, batch, p.got)
		require.NoError(t, host.Close())
		require.NoError(t, <-served)
	}
	require.Equal(t, example(t, "request")[frame.HeaderSize:], appendBatch(nil, batch))
}

func socketpair(t *testing.T) (a, b *net.UnixConn) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	var ends [2]*net.UnixConn
	for i, fd := range fds {
		file := os.NewFile(uintptr(fd), "end")
		conn, err := net.FileConn(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		ends[i] = conn.(*net.UnixConn)
	}
	return ends[0], ends[1]
}
