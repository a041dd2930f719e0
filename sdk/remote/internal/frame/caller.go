package frame

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"odradek.dev/sdk/module"
)

// ErrClosed is what calls get whose connection has ended.
var ErrClosed = module.NewError(module.Retriable, "remote.closed", "the connection to the module process has ended")

// ErrTooLarge: a request is over [MaxPayload].
var ErrTooLarge = module.NewError(module.Invalid, "remote.too_large", "a message is over the limit between host and module process")

// Caller is the host's end of the socket. Safe for concurrent use.
type Caller struct {
	conn *net.UnixConn
	out  *writer

	mu      sync.Mutex
	waiting map[uint64]*call
	// lastID is the highest id that was given to a call. An answer above it
	// was never asked for; one below it that nobody waits for is late.
	lastID uint64
	late   uint64
	ended  error
	done   chan struct{}
}

// call is one request that waits for its answer.
type call struct {
	op Op
	// limit is the longest payload that an answer to it may have.
	limit  int
	answer chan answer // holds one, so that the reader never blocks
}

type answer struct {
	status  uint8
	payload *[]byte
	err     error
}

// NewCaller takes the socket over and reads it until it ends.
func NewCaller(conn *net.UnixConn) (*Caller, error) {
	out, err := newWriter(conn)
	if err != nil {
		return nil, err
	}
	c := &Caller{conn: conn, out: out, waiting: map[uint64]*call{}, done: make(chan struct{})}
	go c.read()
	return c, nil
}

// Request is one call.
type Request struct {
	Op Op
	// Encode appends the payload.
	Encode func([]byte) []byte
	// Limit is the longest payload of a good answer, in bytes. A longer one
	// breaks the protocol and ends the connection before it is read.
	Limit int
	// Decode takes the payload of the answer and must not keep it.
	Decode func([]byte) error
}

// Call sends a request and waits for its answer or for the end of ctx, which
// must have a deadline. Nothing is sent once ctx has ended; an answer that comes
// later is dropped.
func (c *Caller) Call(ctx context.Context, r Request) error {
	deadline, ok := ctx.Deadline()
	if !ok {
		return module.Fatalf("a call to a module process needs a deadline")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	id, pending, others, err := c.enlist(r)
	if err != nil {
		return err
	}
	out := getBuffer()
	*out = r.Encode(append(*out, make([]byte, HeaderSize)...))
	err = c.submit(*out, header{id: id, op: r.Op, timeout: time.Until(deadline)}, others)
	putBuffer(out)
	if err != nil {
		c.forget(id)
		return err
	}
	return c.await(ctx, id, pending, r)
}

func (c *Caller) submit(frame []byte, h header, others bool) error {
	h.payload = len(frame) - HeaderSize
	if h.payload > MaxPayload {
		return ErrTooLarge.With("%d bytes, %d are allowed", h.payload, MaxPayload)
	}
	if h.timeout <= 0 {
		return context.DeadlineExceeded
	}
	h.put(frame)
	err := c.out.send(frame, others)
	if classed := (*module.Error)(nil); err != nil && !errors.As(err, &classed) {
		c.end(closed(err))
		return c.Err()
	}
	return err
}

func (c *Caller) await(ctx context.Context, id uint64, pending *call, r Request) error {
	select {
	case got := <-pending.answer:
		return r.settle(got)
	case <-ctx.Done():
	}
	if c.forget(id) {
		return ctx.Err()
	}
	return r.settle(<-pending.answer)
}

// settle turns an answer into the result of the call.
func (r Request) settle(got answer) error {
	if got.err != nil {
		return got.err
	}
	defer putBuffer(got.payload)
	if got.status == statusError {
		failure, ok := parseFailure(*got.payload)
		if !ok {
			return module.Fatalf("the module process answered with an error that cannot be read")
		}
		return failure
	}
	return r.Decode(*got.payload)
}

func (c *Caller) enlist(r Request) (id uint64, pending *call, others bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return 0, nil, false, c.ended
	}
	c.lastID++
	pending = &call{op: r.Op, limit: max(min(r.Limit, MaxPayload), maxFailure), answer: make(chan answer, 1)}
	c.waiting[c.lastID] = pending
	return c.lastID, pending, len(c.waiting) > 1, nil
}

// forget has the answer to a call dropped when it comes, and reports false if it
// is there already.
func (c *Caller) forget(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.waiting[id]
	delete(c.waiting, id)
	return waits
}

// read delivers answers until the socket ends or breaks the protocol.
func (c *Caller) read() {
	in := bufio.NewReaderSize(c.conn, 64<<10)
	var fixed [HeaderSize]byte
	for {
		if _, err := io.ReadFull(in, fixed[:]); err != nil {
			c.end(closed(err))
			return
		}
		if err := c.deliver(in, fixed[:]); err != nil {
			c.end(err)
			return
		}
	}
}

func (c *Caller) deliver(in *bufio.Reader, fixed []byte) error {
	h, err := parseHeader(fixed)
	if err != nil {
		return violation(err)
	}
	pending, err := c.expected(h)
	if err != nil {
		return violation(err)
	}
	if pending == nil {
		_, err := in.Discard(h.payload)
		return closed(err)
	}
	payload := getBuffer()
	if *payload, err = readInto(in, *payload, h.payload); err != nil {
		return closed(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, waits := c.waiting[h.id]; !waits {
		c.late++
		putBuffer(payload)
		return nil
	}
	delete(c.waiting, h.id)
	pending.answer <- answer{status: h.status, payload: payload}
	return nil
}

// expected returns the call that the answer belongs to, nil if it came too
// late, an error if no call can have asked for it.
func (c *Caller) expected(h header) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pending, ok := c.waiting[h.id]
	switch {
	case h.id == 0 || h.id > c.lastID:
		return nil, fmt.Errorf("answer to call %d, which was never made", h.id)
	case !ok:
		c.late++
		return nil, nil
	case h.op != pending.op:
		return nil, fmt.Errorf("answer of operation %d to call %d of operation %d", h.op, h.id, pending.op)
	case h.payload > pending.limit:
		return nil, fmt.Errorf("answer of %d bytes to call %d, which allows %d", h.payload, h.id, pending.limit)
	}
	return pending, nil
}

// ErrProtocol is what ends a connection whose far side does not keep to the
// protocol.
var ErrProtocol = module.NewError(module.Retriable, "remote.protocol", "the module process broke the protocol")

// closed is the end of a connection by an error of the socket, nil for none.
func closed(err error) error {
	if err == nil {
		return nil
	}
	return ErrClosed.With("%v", err)
}

func violation(err error) error { return ErrProtocol.With("%v", err) }

func (c *Caller) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return
	}
	c.ended = err
	for id, pending := range c.waiting {
		pending.answer <- answer{err: err}
		delete(c.waiting, id)
	}
	_ = c.conn.Close() // nothing is left to be written
	close(c.done)
}

// Close ends the connection; calls in flight get [ErrClosed].
func (c *Caller) Close() { c.end(ErrClosed) }

// Done is closed when the connection has ended.
func (c *Caller) Done() <-chan struct{} { return c.done }

// Err says why the connection has ended, nil while it has not.
func (c *Caller) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// Late counts the answers that came after their deadline.
func (c *Caller) Late() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.late
}
