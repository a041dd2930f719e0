package kafka

import (
	"errors"
	"syscall"
)

// noDescriptor reports whether the process, or the machine, has as many files and
// connections open as it may have.
func noDescriptor(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// isReset reports whether the client went without a goodbye.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ENOTCONN)
}
