package kafka

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// socket is a client's connection, with the system calls that the net package
// does not have. Reads are made by one goroutine, writes by one at a time.
type socket struct {
	net.Conn
	// raw is nil for a connection that is not the system's own.
	raw syscall.RawConn
	// The callbacks are made once, and what they work on is beside them, so
	// that a call allocates nothing.
	onReadable func(fd uintptr) bool
	onWritable func(fd uintptr) bool
	in         *inbox
	writing    transfer
	// deadline is when the connection is closed for being idle.
	deadline time.Time
	maxIdle  time.Duration
}

// transfer is a write in progress: bytes, or a range of a file.
type transfer struct {
	bytes []byte
	more  bool
	file  *os.File
	at    int64
	left  int64
	err   error
}

func newSocket(conn net.Conn, maxIdle time.Duration) *socket {
	s := &socket{Conn: conn, maxIdle: maxIdle}
	if system, ok := conn.(syscall.Conn); ok {
		if raw, err := system.SyscallConn(); err == nil {
			s.raw = raw
			s.onReadable = s.readable
			s.onWritable = s.writable
		}
	}
	return s
}

// touch moves the idle deadline, but not at every request: it is a tenth early
// at most.
func (s *socket) touch(now time.Time) error {
	if s.maxIdle <= 0 || s.deadline.Sub(now) > s.maxIdle*9/10 {
		return nil
	}
	s.deadline = now.Add(s.maxIdle)
	return s.SetDeadline(s.deadline)
}

// read waits until there are bytes and reads them into the inbox, which takes
// a buffer only when there are.
func (s *socket) read(in *inbox) error {
	if s.raw == nil {
		in.n, in.err = s.Conn.Read(in.room())
		if in.n > 0 {
			in.err = nil
		}
		return nil
	}
	s.in = in
	return s.raw.Read(s.onReadable)
}

func (s *socket) readable(fd uintptr) bool {
	for {
		n, err := receive(int(fd), s.in.room())
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			s.in.idle()
			return false
		}
		s.in.n, s.in.err = max(n, 0), err
		return true
	}
}

// write writes all of b. more says that other bytes follow at once.
func (s *socket) write(b []byte, more bool) error {
	if len(b) == 0 {
		return nil
	}
	if s.raw == nil {
		_, err := s.Conn.Write(b)
		return err
	}
	s.writing = transfer{bytes: b, more: more}
	return s.transfer()
}

// writeFile writes n bytes of a file from position at.
func (s *socket) writeFile(f *os.File, at, n int64) error {
	if s.raw == nil {
		_, err := io.Copy(s.Conn, io.NewSectionReader(f, at, n))
		return err
	}
	s.writing = transfer{file: f, at: at, left: n}
	return s.transfer()
}

func (s *socket) transfer() error {
	err := s.raw.Write(s.onWritable)
	if err == nil {
		err = s.writing.err
	}
	s.writing = transfer{}
	return err
}

func (s *socket) writable(fd uintptr) bool {
	t := &s.writing
	for len(t.bytes) > 0 || t.left > 0 {
		var err error
		if t.file != nil {
			err = t.sendFile(int(fd))
		} else {
			err = t.sendBytes(int(fd))
		}
		switch err {
		case nil, syscall.EINTR:
		case syscall.EAGAIN:
			return false
		default:
			t.err = err
			return true
		}
	}
	return true
}

func (t *transfer) sendBytes(fd int) error {
	n, err := send(fd, t.bytes, t.more)
	if err != nil {
		return err
	}
	t.bytes = t.bytes[n:]
	return nil
}
