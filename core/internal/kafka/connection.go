package kafka

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"odradek.dev/core/internal/config"
)

// flushAt is how much is built up before it is written, also when further
// requests are there.
const flushAt = 256 << 10

// connection is one client. Its reader goroutine runs serve; see responses for
// the other that may exist.
type connection struct {
	server *Server
	sock   *socket
	caller Caller
	// from is where the client is.
	from netip.Addr
	// active is when the client last sent something, in nanoseconds.
	active atomic.Int64
	in     inbox
	// out is the answers that the reader has built and not written.
	out     *outbound
	waiting responses
	request request
	// held is the size of the request that is counted in requestBytes.
	held int64
	// failure is why the writer closed the connection.
	failure  atomic.Pointer[error]
	stopping atomic.Bool
}

func newConnection(s *Server, c net.Conn, l config.Listener) *connection {
	sock := newSocket(c, s.backend.Config.ConnectionsMaxIdle)
	conn := &connection{
		server: s, sock: sock, caller: Caller{Listener: l, Remote: c.RemoteAddr(), Host: hostOf(c.RemoteAddr())},
		in: inbox{sock: sock, buffers: &s.buffers, limit: int(s.backend.Config.SocketRequestMaxBytes)},
	}
	conn.active.Store(s.backend.Clock.Now().UnixNano())
	conn.waiting.conn = conn
	conn.waiting.room.L = &conn.waiting.mu
	return conn
}

// serve reads and executes requests until the client goes, does something that
// closes the connection, or the server stops.
func (c *connection) serve() {
	err := c.run()
	if flushed := c.flush(); err == nil {
		err = flushed
	}
	if c.stopping.Load() {
		// Again, for what came to wait after stop looked.
		c.waiting.hurry()
		c.waiting.empty()
	}
	if failure := c.failure.Load(); failure != nil {
		err = *failure
	}
	_ = c.sock.Close() // nothing is left to be written
	c.waiting.close()
	c.in.release()
	c.letGo()
	if c.out != nil {
		c.giveOut(c.out)
	}
	if err != nil && !c.stopping.Load() && !ordinary(err) {
		c.server.complain(c, err)
	}
}

// ordinary is a client that goes, which is no event.
func ordinary(err error) bool {
	var network *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &network) || isReset(err)
}

func (c *connection) run() error {
	for {
		frame, ok, err := c.in.next()
		switch {
		case err != nil:
			return err
		case !ok:
			if err := c.refill(); err != nil {
				return err
			}
			continue
		case c.stopping.Load():
			return nil
		}
		c.waiting.waitRoom()
		if err := c.hold(int64(4 + len(frame))); err != nil {
			return err
		}
		c.server.requests.enter()
		err = c.execute(frame)
		c.server.requests.leave()
		c.letGo()
		if err != nil {
			return err
		}
		if c.out != nil && c.out.bytes() >= flushAt {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
}

// refill writes what was answered, since no further whole request is there,
// and waits for more bytes.
func (c *connection) refill() error {
	if err := c.flush(); err != nil {
		return err
	}
	begun := c.in.begun()
	if err := c.hold(begun); err != nil {
		return err
	}
	now := c.server.backend.Clock.Now()
	if begun > 0 {
		c.active.Store(now.UnixNano())
	}
	if err := c.sock.touch(now); err != nil {
		return err
	}
	if c.stopping.Load() {
		return io.EOF
	}
	return c.in.fill()
}

func (c *connection) execute(frame []byte) error {
	r := &c.request
	r.began = c.server.backend.Clock.Now()
	// Now and not when it is answered: who has its answer counts as active, and
	// no longer than that.
	c.active.Store(r.began.UnixNano())
	if err := r.parse(c.server.table, frame); err != nil {
		c.callerOf(r)
		return err
	}
	return r.api.handle(c, r)
}

// callerOf describes who sent the request. What is returned does not change
// before the next request.
func (c *connection) callerOf(r *request) *Caller {
	if c.caller.ClientID != string(r.clientID) {
		c.caller.ClientID = string(r.clientID)
	}
	return &c.caller
}

// begin starts the answer to r. The handler appends the body and calls
// answered.
func (c *connection) begin(r *request) *outbound {
	var out *outbound
	if c.waiting.idle() {
		if c.out == nil {
			c.out = c.takeOut()
		}
		out = c.out
	} else {
		out = c.takeOut()
	}
	out.begin(r.correlation, r.flexibleResponse())
	return out
}

// flexibleResponse: the header of an ApiVersions response is never flexible,
// since the client may not know yet what the broker speaks.
func (r *request) flexibleResponse() bool {
	return r.api.key != apiVersionsKey && r.api.flexible(r.version)
}

// answered completes an answer that begin started.
func (c *connection) answered(r *request, out *outbound) error {
	seen := r.observation()
	c.observe(&seen, out.end())
	if out == c.out {
		return nil // run writes it
	}
	if s := (&slot{conn: c, ready: true, out: out}); !c.waiting.add(s) {
		c.giveOut(out)
		return net.ErrClosed
	}
	return nil
}

// wait puts an answer that has to wait in the queue. What was answered before
// is written first, so that the order stays.
func (c *connection) wait(r *request, s *slot, l later) error {
	if err := c.flushInExecution(); err != nil {
		return err
	}
	*s = slot{conn: c, later: l, observation: r.observation()}
	if !c.waiting.add(s) {
		return net.ErrClosed
	}
	return nil
}

func (r *request) observation() Observation {
	// Duration is when it began until it is observed.
	return Observation{Key: r.api.key, BytesIn: r.size, began: r.began}
}

func (c *connection) observe(o *Observation, size int64) {
	o.BytesOut = size
	o.Duration = c.server.backend.Clock.Now().Sub(o.began)
	c.server.metrics.Request(*o)
}

// flushInExecution is flush within a request. The place of the request is free
// meanwhile: a client that does not read must not keep others from theirs.
func (c *connection) flushInExecution() error {
	if c.out == nil {
		return nil
	}
	c.server.requests.leave()
	defer c.server.requests.enter()
	return c.flush()
}

// flush writes what the reader has answered.
func (c *connection) flush() error {
	if c.out == nil {
		return nil
	}
	out := c.out
	c.out = nil
	err := out.writeTo(c.sock)
	c.giveOut(out)
	return err
}

// broken is the writer's end of the connection. The reader finds out by the
// closed socket.
func (c *connection) broken(err error) {
	c.failure.CompareAndSwap(nil, &err)
	_ = c.sock.Close() // it failed already
	c.waiting.giveUp()
}

// stop ends the connection once its running requests are answered.
func (c *connection) stop() {
	c.stopping.Store(true)
	c.waiting.hurry()
	// Wakes the reader. If that fails the connection is closed already.
	_ = c.sock.SetReadDeadline(time.Unix(1, 0))
}

func (c *connection) takeOut() *outbound {
	out := c.server.takeOutbound()
	out.pooled = c.server.buffers.take(outboundSize)
	out.buf = out.pooled.b[:0]
	return out
}

// outboundSize is the memory that an answer begins with.
const outboundSize = 1 << leastBufferBits

func (c *connection) giveOut(out *outbound) {
	out.backTo(mark{})
	out.pooled.b = out.buf
	c.server.buffers.give(out.pooled)
	c.server.outbounds.Put(out)
}
