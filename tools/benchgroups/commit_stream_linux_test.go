package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// stubBroker answers commits as a broker would, and keeps what it has read.
type stubBroker struct {
	*connection
	correlations []int32
	requests     []*kmsg.OffsetCommitRequest
}

// headerSize is that of the requests: key, version, correlation id, client id
// and no tags.
const headerSize = 2 + 2 + 4 + 2 + len(clientID) + 1

// read decodes the next request.
func (b *stubBroker) read() error {
	if _, err := b.next(); err != nil {
		return err
	}
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version = int16(binary.BigEndian.Uint16(b.answer[2:]))
	b.correlations = append(b.correlations, int32(binary.BigEndian.Uint32(b.answer[4:])))
	b.requests = append(b.requests, q)
	return q.ReadFrom(b.answer[headerSize:])
}

// reply answers the request read last, with that code in the last partition.
func (b *stubBroker) reply(code int16) error {
	q := b.requests[len(b.requests)-1]
	r := q.ResponseKind().(*kmsg.OffsetCommitResponse)
	topic := kmsg.NewOffsetCommitResponseTopic()
	topic.Topic = q.Topics[0].Topic
	for _, p := range q.Topics[0].Partitions {
		topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitResponseTopicPartition{Partition: p.Partition})
	}
	topic.Partitions[len(topic.Partitions)-1].ErrorCode = code
	r.Topics = append(r.Topics, topic)
	header := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(b.correlations[len(b.correlations)-1]))
	answer := r.AppendTo(append(header, 0))
	binary.BigEndian.PutUint32(answer, uint32(len(answer)-4))
	_, err := b.net.Write(answer)
	return err
}

// streamTo runs a stream of commits of three partitions to a broker that
// answers the n-th of them with that code, and ends after the last.
func streamTo(t *testing.T, codes ...int16) (b *stubBroker, answered int64, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	served := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			served <- err
			return
		}
		defer conn.Close()
		b = &stubBroker{connection: &connection{net: conn, in: bufio.NewReader(conn)}}
		for _, code := range codes {
			if err == nil {
				err = b.read()
			}
			if err == nil {
				err = b.reply(code)
			}
		}
		if err == nil {
			err = conn.(*net.TCPConn).CloseWrite()
		}
		served <- err
		_, _ = io.Copy(io.Discard, conn) // a reset would lose answers
	}()
	l, err := loop.New()
	require.NoError(t, err)
	defer l.Close()
	c, err := dial(l, listener.Addr().String())
	require.NoError(t, err)
	defer c.net.Close()
	m := &member{plan: plan{group: "g", topic: "t"}, id: "m", epoch: 3}
	stream := l.Go(func() { err = newCommitStream(c, m.commitRequest(3)).run(&answered) })
	require.NoError(t, l.Run(t.Context(), stream.Over))
	require.NoError(t, <-served)
	return b, answered, err
}

// Every request is whole, and has a correlation id and offsets of its own.
func TestCommitStream(t *testing.T) {
	b, answered, err := streamTo(t, make([]int16, 100)...)
	require.ErrorIs(t, err, io.EOF)
	require.EqualValues(t, 99, answered, "the first one is not counted")
	for n, q := range b.requests {
		require.EqualValues(t, n+1, b.correlations[n])
		require.Equal(t, "m", q.MemberID)
		require.Len(t, q.Topics[0].Partitions, 3)
		for p, one := range q.Topics[0].Partitions {
			require.EqualValues(t, p, one.Partition)
			require.EqualValues(t, n+1, one.Offset)
		}
	}
}

// A commit that is refused is seen, the first one and any after it.
func TestCommitStreamRefused(t *testing.T) {
	_, _, err := streamTo(t, 25)
	require.ErrorContains(t, err, "UNKNOWN_MEMBER_ID")
	_, _, err = streamTo(t, 0, 0, 0, 25)
	require.ErrorContains(t, err, "commit 4 is answered by")
}
