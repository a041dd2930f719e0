package loop

import (
	"fmt"
	"io"
	"net"
	"net/netip"
)

// Conn is a TCP connection of tasks of one loop. Of those, one reads and one
// writes at a time.
type Conn struct {
	loop *Loop
	fd   int32
	// readable is set from when the system says that there is something until a
	// read has taken all of it; writable likewise. The system says it once, and so
	// it is never asked in vain.
	readable, writable bool
	// ended is set when the peer has closed its side: no read waits any more.
	ended          bool
	reader, writer *Task
	closed         bool
}

// event is what the system says of a connection.
type event struct {
	fd                        int32
	readable, writable, ended bool
}

// Dial connects, without running tasks meanwhile. The address is an IP address
// and a port.
func (l *Loop) Dial(addr string) (*Conn, error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	fd, err := l.poller.dial(to)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", addr, err)
	}
	c := &Conn{loop: l, fd: fd, writable: true}
	l.conns[fd] = c
	return c, nil
}

// Read implements [io.Reader].
func (c *Conn) Read(b []byte) (int, error) {
	for {
		for !c.readable && !c.ended {
			if err := c.await(&c.reader); err != nil {
				return 0, err
			}
		}
		if c.closed {
			return 0, net.ErrClosed
		}
		n, again, err := read(c.fd, b)
		c.readable = n == len(b)
		switch {
		case err != nil:
			return 0, err
		case n > 0:
			return n, nil
		case !again:
			return 0, io.EOF
		}
	}
}

// Write implements [io.Writer].
func (c *Conn) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		for !c.writable {
			if err := c.await(&c.writer); err != nil {
				return written, err
			}
		}
		if c.closed {
			return written, net.ErrClosed
		}
		n, again, err := write(c.fd, b[written:])
		if err != nil {
			return written, err
		}
		written, c.writable = written+n, !again
	}
	return written, nil
}

// await has the task that runs wait for something to happen.
func (c *Conn) await(as **Task) error {
	*as = c.loop.running
	err := c.loop.running.pause()
	*as = nil
	return err
}

func (c *Conn) happened(e event) {
	c.readable = c.readable || e.readable
	c.writable = c.writable || e.writable
	c.ended = c.ended || e.ended
	if c.reader != nil && (c.readable || c.ended) {
		c.loop.queue(c.reader)
	}
	if c.writer != nil && c.writable {
		c.loop.queue(c.writer)
	}
}

// Close fails those who read or write. It may be called again.
func (c *Conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	delete(c.loop.conns, c.fd)
	c.happened(event{readable: true, writable: true, ended: true})
	return closeFile(c.fd)
}
