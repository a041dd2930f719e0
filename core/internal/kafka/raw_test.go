package kafka

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

// rawClient speaks frames, so that a test decides about every byte.
type rawClient struct {
	net.Conn
	t           testing.TB
	correlation int32
}

func (b *testBroker) dial(t testing.TB) *rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", b.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &rawClient{Conn: conn, t: t}
}

// frame is a request with its length in front, and a client id.
func frame(q kmsg.Request, correlation int32) []byte {
	formatter := kmsg.NewRequestFormatter(kmsg.FormatterClientID("raw"))
	return formatter.AppendRequest(nil, q, correlation)
}

// send writes a request and returns its correlation id.
func (c *rawClient) send(q kmsg.Request) int32 {
	c.t.Helper()
	c.correlation++
	_, err := c.Write(frame(q, c.correlation))
	require.NoError(c.t, err)
	return c.correlation
}

// receive reads the next answer, which must be to the correlation id.
func (c *rawClient) receive(correlation int32, q kmsg.Request) kmsg.Response {
	c.t.Helper()
	body := c.receiveFrame(correlation)
	response := q.ResponseKind()
	response.SetVersion(q.GetVersion())
	if response.IsFlexible() && response.Key() != apiVersionsKey {
		require.Zero(c.t, body[0], "tags in the header")
		body = body[1:]
	}
	require.NoError(c.t, response.ReadFrom(body))
	return response
}

func (c *rawClient) receiveFrame(correlation int32) []byte {
	c.t.Helper()
	var head [8]byte
	_, err := io.ReadFull(c, head[:])
	require.NoError(c.t, err)
	require.Equal(c.t, correlation, int32(binary.BigEndian.Uint32(head[4:])), "answers come in order")
	body := make([]byte, binary.BigEndian.Uint32(head[:])-4)
	_, err = io.ReadFull(c, body)
	require.NoError(c.t, err)
	return body
}

func (c *rawClient) ask(q kmsg.Request) kmsg.Response {
	c.t.Helper()
	return c.receive(c.send(q), q)
}

// requireClosed waits until the broker has closed the connection.
func (c *rawClient) requireClosed() {
	c.t.Helper()
	n, err := c.Read(make([]byte, 1))
	require.Zero(c.t, n)
	require.Error(c.t, err)
	require.NotErrorIs(c.t, err, os.ErrDeadlineExceeded)
}

// produceOf is a request for one partition.
func produceOf(version int16, topic string, id [16]byte, acks int16, records []byte) *kmsg.ProduceRequest {
	q := kmsg.NewPtrProduceRequest()
	q.SetVersion(version)
	q.Acks, q.TimeoutMillis = acks, 120_000
	t := kmsg.NewProduceRequestTopic()
	t.Topic, t.TopicID = topic, id
	p := kmsg.NewProduceRequestTopicPartition()
	p.Records = records
	t.Partitions = append(t.Partitions, p)
	q.Topics = append(q.Topics, t)
	return q
}

func fetchOf(version int16, topic string, id [16]byte, offset int64) *kmsg.FetchRequest {
	q := kmsg.NewPtrFetchRequest()
	q.SetVersion(version)
	q.MaxWaitMillis, q.MinBytes, q.MaxBytes = 120_000, 1, 50<<20
	t := kmsg.NewFetchRequestTopic()
	t.Topic, t.TopicID = topic, id
	p := kmsg.NewFetchRequestTopicPartition()
	p.FetchOffset, p.PartitionMaxBytes = offset, 1<<20
	t.Partitions = append(t.Partitions, p)
	q.Topics = append(q.Topics, t)
	return q
}

// batchOf is a batch as a client without idempotence sends it.
func batchOf(values ...string) []byte {
	return recordtest.Batch(recordtest.Spec{Records: recordtest.Values(time.Now().UnixMilli(), values...)})
}

// batchOfSize has count records of size bytes.
func batchOfSize(count, size int) []byte {
	values := make([]string, count)
	for i := range values {
		values[i] = string(make([]byte, size))
	}
	return batchOf(values...)
}
