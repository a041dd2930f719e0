package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// connection has one request under way at a time, that of a task of its loop.
type connection struct {
	net         io.ReadWriteCloser
	in          *bufio.Reader
	format      *kmsg.RequestFormatter
	correlation int32
	// out and answer are used again and again.
	out, answer []byte
	// answered is when the last answer came.
	answered time.Time
}

const clientID = "bench"

func dial(l *loop.Loop, addr string) (*connection, error) {
	conn, err := l.Dial(addr)
	if err != nil {
		return nil, err
	}
	return &connection{net: conn, in: bufio.NewReaderSize(conn, 4<<10), format: kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID))}, nil
}

// ask sends a request, at the version that it has, and decodes the answer.
func ask[R kmsg.Response](c *connection, q kmsg.Request) (R, error) {
	if err := c.send(q); err != nil {
		return *new(R), err
	}
	return receive[R](c, q)
}

func (c *connection) send(q kmsg.Request) error {
	c.correlation++
	c.out = c.format.AppendRequest(c.out[:0], q, c.correlation)
	_, err := c.net.Write(c.out)
	return err
}

// receive takes the next answer, which is that of q.
func receive[R kmsg.Response](c *connection, q kmsg.Request) (R, error) {
	response := q.ResponseKind().(R)
	body, err := c.next()
	if err != nil {
		return response, err
	}
	if q.IsFlexible() {
		body = body[1:] // the header has no tags
	}
	response.SetVersion(q.GetVersion())
	return response, response.ReadFrom(body)
}

// next is what follows the correlation id of the next answer; it is valid
// until the one after.
func (c *connection) next() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(c.in, length[:]); err != nil {
		return nil, err
	}
	size := int(binary.BigEndian.Uint32(length[:]))
	if size < 5 {
		return nil, fmt.Errorf("an answer of %d bytes", size)
	}
	if cap(c.answer) < size {
		c.answer = make([]byte, size)
	}
	c.answer = c.answer[:size]
	_, err := io.ReadFull(c.in, c.answer)
	c.answered = time.Now()
	return c.answer[4:], err
}
