package kafka

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/clock"
)

// A client of the future asks with a version that nobody knows yet.
func TestApiVersionsOfAnUnknownVersion(t *testing.T) {
	b := newTestBroker(t)
	client := b.dial(t)
	future := kmsg.NewPtrApiVersionsRequest()
	future.SetVersion(3)
	future.ClientSoftwareName, future.ClientSoftwareVersion = "raw", "1"
	bytes := frame(future, 1)
	binary.BigEndian.PutUint16(bytes[6:], 99)
	_, err := client.Write(bytes)
	require.NoError(t, err)
	v0 := kmsg.NewPtrApiVersionsRequest()
	answer := client.receive(1, v0).(*kmsg.ApiVersionsResponse)
	require.Equal(t, kerr.UnsupportedVersion.Code, answer.ErrorCode)
	require.NotEmpty(t, answer.ApiKeys)

	answer = client.ask(future).(*kmsg.ApiVersionsResponse)
	require.Zero(t, answer.ErrorCode, "and the connection lives on")
	for _, key := range answer.ApiKeys {
		if key.ApiKey == 0 {
			require.Zero(t, key.MinVersion, "librdkafka wants to see 0")
		}
	}
}

func TestApiVersionsChecksWhoAsks(t *testing.T) {
	b := newTestBroker(t)
	ask := func(version int16, change func(*kmsg.ApiVersionsRequest)) int16 {
		q := kmsg.NewPtrApiVersionsRequest()
		q.SetVersion(version)
		q.ClientSoftwareName, q.ClientSoftwareVersion = "raw", "1.0"
		if change != nil {
			change(q)
		}
		return b.dial(t).ask(q).(*kmsg.ApiVersionsResponse).ErrorCode
	}
	for version := int16(0); version <= 5; version++ {
		require.Zero(t, ask(version, nil))
	}
	require.Equal(t, kerr.InvalidRequest.Code, ask(3, func(q *kmsg.ApiVersionsRequest) { q.ClientSoftwareName = "a b" }))
	require.Equal(t, kerr.InvalidRequest.Code, ask(3, func(q *kmsg.ApiVersionsRequest) { q.ClientSoftwareVersion = "" }))
	meant := func(cluster string, node int32) func(*kmsg.ApiVersionsRequest) {
		return func(q *kmsg.ApiVersionsRequest) { q.ClusterID, q.NodeID = &cluster, node }
	}
	require.Zero(t, ask(5, meant("cluster", 1)))
	require.Equal(t, kerr.RebootstrapRequired.Code, ask(5, meant("cluster", 2)))
	require.Equal(t, kerr.RebootstrapRequired.Code, ask(5, meant("another", 1)))
	require.Equal(t, kerr.InvalidRequest.Code, ask(5, meant("cluster", -1)))
}

// What cannot be a request closes its connection, with a line that says why,
// and no other connection.
func TestABadFrameClosesItsConnection(t *testing.T) {
	metadata := func(version int16) []byte {
		q := kmsg.NewPtrMetadataRequest()
		q.SetVersion(version)
		return frame(q, 1)
	}
	unknownVersion := metadata(12)
	binary.BigEndian.PutUint16(unknownVersion[6:], 50)
	unknownKey := metadata(1)
	binary.BigEndian.PutUint16(unknownKey[4:], 77)
	tests := map[string]struct {
		bytes []byte
		line  string
	}{
		"a negative length":  {[]byte{0xff, 0xff, 0xff, 0xff}, "claims -1 bytes"},
		"no length":          {[]byte{0, 0, 0, 0}, "claims 0 bytes"},
		"a length too large": {[]byte{0x7f, 0xff, 0xff, 0xff}, "socket.request.max.bytes"},
		"http":               {[]byte("GET / HTTP/1.1\r\n\r\n"), "it speaks HTTP"},
		"tls":                {[]byte{0x16, 3, 1, 2, 0, 1, 0}, "it speaks TLS"},
		"a short header":     {[]byte{0, 0, 0, 9, 0, 3, 0, 1, 0, 0, 0, 1, 0}, "header is not complete"},
		"an unknown key":     {unknownKey, "API key 77"},
		"an unknown version": {unknownVersion, "Metadata version 50 is not served; versions 0 to 13 are"},
		"produce version 2":  {[]byte{0, 0, 0, 10, 0, 0, 0, 2, 0, 0, 0, 1, 0xff, 0xff}, "Produce version 2"},
		"topics without end": {append([]byte{0, 0, 0, 14, 0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff}, 0x7f, 0xff, 0xff, 0xff), "more elements than it has bytes"},
		"tags without end":   {[]byte{0, 0, 0, 15, 0, 18, 0, 3, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f}, "closed"},
		"a null for topics":  {[]byte{0, 0, 0, 14, 0, 3, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "topics at byte 0 of its body: it is null"},
		"cut off inside":     {[]byte{0, 0, 0, 12, 0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0, 0}, "malformed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newTestBroker(t)
			bystander, client := b.dial(t), b.dial(t)
			_, err := client.Write(test.bytes)
			require.NoError(t, err)
			client.requireClosed()
			require.Eventually(t, func() bool { return strings.Contains(b.log.String(), test.line) }, time.Minute, time.Millisecond,
				"log: %s", b.log)
			q := kmsg.NewPtrMetadataRequest()
			q.SetVersion(9)
			bystander.ask(q)
		})
	}
}

// A stranger fills neither the log nor writes control characters into it.
func TestComplaintsAreFewAndClean(t *testing.T) {
	b := newTestBroker(t, func(_ *config.Broker, tb *testBroker) { tb.clock = clock.NewFake(time.Now()) }) // sockets have the real time
	for range 50 {
		client := b.dial(t)
		_, err := client.Write([]byte{0, 0, 0, 13, 0, 99, 0, 1, 0, 0, 0, 1, 0, 3, '\n', 0x1b, 'x'})
		require.NoError(t, err)
		client.requireClosed()
	}
	b.awaitLine(t, "connection closed")
	require.Equal(t, 1, strings.Count(b.log.String(), "connection closed"), "all within a second")
	require.Contains(t, b.log.String(), `\n\x1bx`)
	require.NotContains(t, b.log.String(), "\x1b")
}

func TestAFrameComesInPieces(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	// Larger than any buffer that is at hand, so that it has to grow.
	q := produceOf(9, "orders", id, 1, batchOfSize(900, 1024))
	bytes := frame(q, 1)
	for len(bytes) > 0 {
		n := min(len(bytes), 33_333)
		_, err := client.Write(bytes[:n])
		require.NoError(t, err)
		bytes = bytes[n:]
	}
	require.Zero(t, producedOf(t, client.receive(1, q)).ErrorCode)
	for range 3 { // many in one write
		var all []byte
		for i := range int32(50) {
			all = append(all, frame(produceOf(9, "orders", id, 1, batchOfSize(1, int(i)*100)), i)...)
		}
		_, err := client.Write(all)
		require.NoError(t, err)
		for i := range int32(50) {
			require.Zero(t, producedOf(t, client.receive(i, q)).ErrorCode)
		}
	}
}

func TestAnIdleConnectionHoldsNoBuffer(t *testing.T) {
	b := newTestBroker(t)
	const count = 500
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // the second empties the pools
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse + m.StackInuse)
	}
	before := inUse()
	q := kmsg.NewPtrMetadataRequest()
	q.SetVersion(9)
	clients := make([]*rawClient, count)
	for i := range clients {
		clients[i] = b.dial(t)
		clients[i].ask(q)
	}
	// Half of it, but for the race detector, whose stacks are larger. A buffer
	// would add 16 KiB.
	const most = 20 << 10
	perConnection := int64(math.MaxInt64)
	// A connection may give its buffer back just after its client has the answer,
	// so that the least of several looks counts.
	for look := 0; look < 20 && perConnection >= most; look++ {
		perConnection = min(perConnection, (inUse()-before)/count)
	}
	t.Logf("%d bytes a connection, the client's side with it", perConnection)
	require.Less(t, perConnection, int64(most))
	runtime.KeepAlive(clients)
}

func TestAnIdleConnectionIsClosed(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.ConnectionsMaxIdle = 2 * time.Second })
	// A client that a slow machine keeps from asking for so long is idle too.
	for answered := int64(0); answered == 0; {
		client := b.dial(t)
		client.send(metadataRequest())
		var err error
		answered, err = io.Copy(io.Discard, client)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
	}
	require.NotContains(t, b.log.String(), "connection closed", "that is no event")
}
