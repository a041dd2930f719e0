package frame

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"odradek.dev/sdk/module"
)

// MaxInFlight is how many requests a module process works on at a time. It
// reads no further until one of them is answered.
const MaxInFlight = 1024

// Handler answers one request: it appends the payload of the answer to out and
// returns it. It must keep neither payload nor out.
type Handler func(ctx context.Context, payload, out []byte) ([]byte, error)

// Serve answers the requests that come over the socket, each in a goroutine of
// its own, until the socket ends. An unknown operation is answered with an
// error; a frame that breaks the protocol ends Serve with an error. When it
// returns all handlers have returned and the socket is closed.
func Serve(conn *net.UnixConn, handlers map[Op]Handler) error {
	out, err := newWriter(conn)
	if err != nil {
		return err
	}
	s := &server{in: bufio.NewReaderSize(conn, 64<<10), out: out, handlers: handlers, slots: make(chan struct{}, MaxInFlight)}
	err = s.read()
	closed := conn.Close()
	s.working.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return closed
	}
	return err
}

type server struct {
	in       *bufio.Reader
	out      *writer
	handlers map[Op]Handler
	slots    chan struct{}
	working  sync.WaitGroup
	inFlight atomic.Int32
}

func (s *server) read() error {
	var fixed [HeaderSize]byte
	for {
		if _, err := io.ReadFull(s.in, fixed[:]); err != nil {
			return err
		}
		arrived := time.Now()
		h, err := parseHeader(fixed[:])
		if err != nil {
			return err
		}
		payload := getBuffer()
		if *payload, err = readInto(s.in, *payload, h.payload); err != nil {
			return err
		}
		s.slots <- struct{}{}
		s.inFlight.Add(1)
		s.working.Go(func() { s.answer(h, arrived.Add(h.timeout), payload) })
	}
}

func (s *server) answer(h header, deadline time.Time, payload *[]byte) {
	defer func() { <-s.slots }()
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	buffer := getBuffer()
	frame, status := s.handle(ctx, h.op, *payload, append(*buffer, make([]byte, HeaderSize)...))
	others := s.inFlight.Add(-1) > 0
	if ctx.Err() == nil {
		header{payload: len(frame) - HeaderSize, id: h.id, op: h.op, status: status}.put(frame)
		// An error means that the socket has ended, which read finds too.
		_ = s.out.send(frame, others)
	}
	*buffer = frame
	putBuffer(buffer)
	putBuffer(payload)
}

// handle returns the frame of the answer, its header yet to be written.
func (s *server) handle(ctx context.Context, op Op, payload, out []byte) ([]byte, uint8) {
	handler, ok := s.handlers[op]
	if !ok {
		return appendFailure(out, module.Invalidf("operation %d is unknown to this module process", op)), statusError
	}
	frame, err := handler(ctx, payload, out)
	switch {
	case err != nil:
		return appendFailure(out, err), statusError
	case len(frame) < HeaderSize || [HeaderSize]byte(frame) != [HeaderSize]byte{}:
		return appendFailure(out, module.Fatalf("the module did not append to what it was given")), statusError
	case len(frame)-HeaderSize > MaxPayload:
		return appendFailure(out, module.Fatalf("an answer of %d bytes is over the limit of %d", len(frame)-HeaderSize, MaxPayload)), statusError
	}
	return frame, statusOK
}
