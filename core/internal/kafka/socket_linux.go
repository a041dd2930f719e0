package kafka

import (
	"io"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mostUntold bounds the bytes of a call that the Go scheduler is not told of. To
// tell it costs as much as a small call, and more when the broker was at rest: it
// wakes the runtime's monitor, which looks after calls that block and goroutines
// that compute for long. These sockets do not block. But a garbage collection
// waits for such a call, so that it must copy little, and the monitor sleeps on
// until an ordinary one. Who sends requests that may take long is read by
// ordinary calls, since its buffer is larger (inbox.hint).
const mostUntold = 1 << leastBufferBits

// receive is always told under the race detector, which learns by ordinary calls
// alone what a socket puts in order: a test, and what its request does.
func receive(fd int, b []byte) (int, error) {
	if raceDetector || len(b) > mostUntold {
		return syscall.Read(fd, b)
	}
	return untold(unix.SYS_RECVFROM, fd, b, 0)
}

// send takes MSG_MORE to keep the kernel from sending a packet of its own for a
// header that a file range follows.
func send(fd int, b []byte, more bool) (int, error) {
	flags := unix.MSG_NOSIGNAL
	if more {
		flags |= unix.MSG_MORE
	}
	if len(b) > mostUntold {
		return unix.SendmsgN(fd, b, nil, nil, flags)
	}
	return untold(unix.SYS_SENDTO, fd, b, flags)
}

func untold(call uintptr, fd int, b []byte, flags int) (int, error) {
	n, _, errno := unix.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), uintptr(flags), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// sendFileMost is what one call is asked for: the kernel takes no more than
// this at once.
const sendFileMost = 1 << 30

// sendFile has the kernel send from its page cache. The position is given with
// each call, so that one descriptor serves many connections.
func (t *transfer) sendFile(fd int) error {
	n, err := unix.Sendfile(fd, int(t.file.Fd()), &t.at, int(min(t.left, sendFileMost)))
	if err != nil {
		return err
	}
	if n == 0 {
		return io.ErrUnexpectedEOF
	}
	t.left -= int64(n)
	return nil
}
