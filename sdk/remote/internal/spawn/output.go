package spawn

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// mostLeft bounds what is read of a child that is gone, in bytes: a pipe holds no
// more, unless somebody with the right to made it larger.
const mostLeft = 1 << 20

// Output is the host's end of a pipe that a child writes to. One goroutine reads
// it.
type Output struct {
	file *os.File
	// left is how much more is taken out of the pipe once its time is over.
	left int
}

func newOutput(file *os.File) *Output { return &Output{file: file, left: mostLeft} }

// Read implements [io.Reader]. It waits for output until its time is over, and
// then gives what is there already: whether the last words of a child are heard
// must not depend on how soon a machine that stalls gets to listen.
func (o *Output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && o.left > 0 {
		return o.readLeft(p[:min(len(p), o.left)], err)
	}
	return n, err
}

// readLeft does not wait; over is its error when nothing is left.
func (o *Output) readLeft(p []byte, over error) (n int, err error) {
	raw, err := o.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error = syscall.EINTR
	err = raw.Control(func(fd uintptr) {
		for errors.Is(failed, syscall.EINTR) {
			n, failed = syscall.Read(int(fd), p)
		}
	})
	switch {
	case err != nil:
		return 0, err
	case errors.Is(failed, syscall.EAGAIN):
		return 0, over
	case failed != nil:
		return 0, failed
	case n == 0:
		return 0, io.EOF
	}
	o.left -= n
	return n, nil
}

// Close closes the host's end.
func (o *Output) Close() error { return o.file.Close() }

// endBy says when the time of the output is over.
func (o *Output) endBy(end time.Time) error { return o.file.SetReadDeadline(end) }
