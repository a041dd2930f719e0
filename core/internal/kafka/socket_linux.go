package kafka

import (
	"io"

	"golang.org/x/sys/unix"
)

// sendBytes hands bytes to the kernel; MSG_MORE keeps it from sending a packet
// of its own for a header that a file range follows.
func (t *transfer) sendBytes(fd int) error {
	flags := unix.MSG_NOSIGNAL
	if t.more {
		flags |= unix.MSG_MORE
	}
	n, err := unix.SendmsgN(fd, t.bytes, nil, nil, flags)
	if err != nil {
		return err
	}
	t.bytes = t.bytes[n:]
	return nil
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
