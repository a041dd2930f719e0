package kafka

import (
	"errors"
	"syscall"
)

// isReset reports whether the client went without a goodbye.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ENOTCONN)
}
