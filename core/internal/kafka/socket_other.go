//go:build !linux

package kafka

import (
	"io"
	"syscall"
)

func (t *transfer) sendBytes(fd int) error {
	n, err := syscall.Write(fd, t.bytes)
	if err != nil {
		return err
	}
	t.bytes = t.bytes[n:]
	return nil
}

// copyAtOnce is how much of a file is read before it is written.
const copyAtOnce = 64 << 10

func (t *transfer) sendFile(fd int) error {
	buffer := make([]byte, min(t.left, copyAtOnce))
	read, err := t.file.ReadAt(buffer, t.at)
	if read == 0 {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	n, err := syscall.Write(fd, buffer[:read])
	if err != nil {
		return err
	}
	t.at += int64(n)
	t.left -= int64(n)
	return nil
}
