package kafka

import (
	"context"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

func limited(set func(*config.Broker)) testOption {
	return func(b *config.Broker, _ *testBroker) { set(b) }
}

// serveAlso opens another listener and returns its address.
func (b *testBroker) serveAlso(t *testing.T, name string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return b.serveOn(t, l, name)
}

func (b *testBroker) serveOn(t *testing.T, l net.Listener, name string) string {
	t.Helper()
	served := make(chan error, 1)
	go func() { served <- b.Serve(context.Background(), l, config.Listener{Name: name, Protocol: "PLAINTEXT"}) }()
	t.Cleanup(func() {
		b.unlisten(l)
		require.NoError(t, <-served)
	})
	return l.Addr().String()
}

func (b *testBroker) dialAt(t *testing.T, addr string) *rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &rawClient{Conn: conn, t: t}
}

// awaitBlocked waits until a listener waits for room.
func (b *testBroker) awaitBlocked(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.changed != nil
	}, time.Minute, time.Millisecond)
}

// set changes what is set for all brokers while they run.
func (b *testBroker) set(t *testing.T, name, value string) {
	t.Helper()
	before := b.backend.Controller.Image()
	failures := b.backend.Controller.AlterConfigs(t.Context(), []metadata.ConfigChange{
		{Resource: metadata.AllBrokers(), Operations: []metadata.ConfigOperation{{Name: name, Value: &value}}},
	}, false)
	require.Nil(t, failures[0])
	require.NoError(t, b.Apply(before, b.backend.Controller.Image()))
}

func (b *testBroker) awaitLine(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(b.log.String(), text) }, time.Minute, time.Millisecond)
}

func metadataRequest() kmsg.Request {
	q := kmsg.NewPtrMetadataRequest()
	q.SetVersion(9)
	return q
}

func TestAConnectionOverTheLimitWaits(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.MaxConnections = 2 }))
	first, second, third, fourth := b.dial(t), b.dial(t), b.dial(t), b.dial(t)
	first.ask(metadataRequest())
	second.ask(metadataRequest())
	waiting := third.send(metadataRequest())
	b.awaitBlocked(t)
	require.NoError(t, second.Close())
	third.receive(waiting, metadataRequest())

	waiting = fourth.send(metadataRequest())
	b.awaitBlocked(t)
	b.set(t, "max.connections", "3")
	fourth.receive(waiting, metadataRequest())
}

func TestAStopEndsTheWaitForRoom(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.MaxConnections = 0 }))
	client := b.dial(t)
	b.awaitBlocked(t)
	require.NoError(t, b.Shutdown(patience(t)))
	client.requireClosed()
}

func TestALoweredLimitClosesTheLongestIdle(t *testing.T) {
	b := newTestBroker(t)
	clients := []*rawClient{b.dial(t), b.dial(t), b.dial(t)}
	for _, c := range clients {
		c.ask(metadataRequest())
	}
	clients[0].ask(metadataRequest())
	b.set(t, "max.connections", "2")
	clients[1].requireClosed()
	clients[0].ask(metadataRequest())
	clients[2].ask(metadataRequest())
	b.awaitLine(t, "it was idle for longest")
}

// The brokers reach each other however many clients there are.
func TestTheBrokersListenerMakesRoom(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) {
		c.MaxConnections = 2
		c.Listeners = []config.Listener{{Name: "PLAINTEXT"}, {Name: "EXTERNAL"}}
	}))
	external := b.serveAlso(t, "EXTERNAL")
	first, second := b.dialAt(t, external), b.dialAt(t, external)
	first.ask(metadataRequest())
	second.ask(metadataRequest())
	first.ask(metadataRequest())
	b.dial(t).ask(metadataRequest())
	second.requireClosed()
	first.ask(metadataRequest())
}

func TestConnectionsOfAnAddress(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.MaxConnectionsPerIP = 1 }))
	first := b.dial(t)
	first.ask(metadataRequest())
	b.dial(t).requireClosed()
	b.awaitLine(t, "127.0.0.1 has 1 connections and may have no more")
	b.set(t, "max.connections.per.ip.overrides", "localhost:2")
	require.Eventually(t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.quota.overrides[here] == 2
	}, time.Minute, time.Millisecond, "the name is resolved")
	second := b.dial(t)
	second.ask(metadataRequest())
	b.dial(t).requireClosed()
	require.NoError(t, second.Close())
	require.Eventually(t, func() bool { return b.open() == 1 }, time.Minute, time.Millisecond)
	b.dial(t).ask(metadataRequest())
}

func (b *testBroker) open() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.quota.total
}

func TestNewConnectionsAreThrottled(t *testing.T) {
	b := newTestBroker(t, limited(func(c *config.Broker) { c.MaxConnectionCreationRate = 20 }))
	began := time.Now()
	b.mu.Lock()
	b.quota.created.paid = began // what may come at once has come
	b.mu.Unlock()
	for range 6 {
		b.dial(t).ask(metadataRequest())
	}
	require.Greater(t, time.Since(began), 250*time.Millisecond, "and none was dropped")
}

// failing is a listener whose next accepts fail.
type failing struct {
	net.Listener
	failures chan error
}

func (l failing) Accept() (net.Conn, error) {
	select {
	case err := <-l.failures:
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", err)}
	default:
		return l.Listener.Accept()
	}
}

// TestFilesAreClosedSoThatClientsCanCome has a client come when all descriptors
// are taken, some of them by files that are sent from.
func TestFilesAreClosedSoThatClientsCanCome(t *testing.T) {
	b := newTestBroker(t)
	const partitions = 17 // of which the files of 16 stay open
	b.create(t, "orders", partitions, nil)
	producer := b.client(t, kgo.DefaultProduceTopic("orders"), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	reader := b.client(t, kgo.ConsumeTopics("orders"))
	writeAndRead := func() {
		for p := range int32(partitions) {
			require.NoError(t, producer.ProduceSync(t.Context(), &kgo.Record{Partition: p, Value: []byte("a")}).FirstErr())
		}
		for read := 0; read < partitions; {
			read += reader.PollFetches(t.Context()).NumRecords()
		}
	}
	writeAndRead()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	accepting := failing{l, make(chan error, 3)}
	accepting.failures <- syscall.EMFILE
	accepting.failures <- syscall.ENFILE
	accepting.failures <- syscall.ECONNABORTED
	b.serveOn(t, accepting, "OTHER")
	b.dialAt(t, l.Addr().String()).ask(metadataRequest())

	require.Equal(t, 1, strings.Count(b.log.String(), "clients need the descriptors of files"))
	require.Contains(t, b.log.String(), "too many open files\" closed=1")
	require.Contains(t, b.log.String(), `cannot accept connections: error="accept tcp: accept4: too many open files in system"`, "there is none left to close")
	require.NotContains(t, b.log.String(), `cannot accept connections: error="accept tcp: accept4: too many open files"`)
	require.Zero(t, b.backend.Partitions.YieldFiles(1))
	writeAndRead()
}
