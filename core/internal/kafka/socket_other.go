//go:build !linux

package kafka

import (
	"io"
	"syscall"
)

func receive(fd int, b []byte) (int, error) { return syscall.Read(fd, b) }

func send(fd int, b []byte, _ bool) (int, error) { return syscall.Write(fd, b) }

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
