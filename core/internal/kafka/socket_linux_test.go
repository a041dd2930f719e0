package kafka

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// What the scheduler is told of and what it is not give the same: bytes in
// order, EAGAIN instead of a wait, and an end.
func TestSendAndReceiveDoNotWait(t *testing.T) {
	for name, size := range map[string]int{"told": mostUntold + 1, "untold": mostUntold} {
		t.Run(name, func(t *testing.T) {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
			require.NoError(t, err)
			defer func() { require.NoError(t, unix.Close(pair[0])) }()
			buffer := make([]byte, size)
			_, err = receive(pair[1], buffer)
			require.ErrorIs(t, err, unix.EAGAIN)
			var sent, received []byte
			for err = nil; err == nil; {
				var n int
				piece := bytes.Repeat([]byte{byte(len(sent) / size)}, size)
				n, err = send(pair[0], piece, false)
				sent = append(sent, piece[:n]...)
			}
			require.ErrorIs(t, err, unix.EAGAIN)
			require.Greater(t, len(sent), size)
			for err = nil; err == nil; {
				var n int
				n, err = receive(pair[1], buffer)
				received = append(received, buffer[:max(n, 0)]...)
			}
			require.ErrorIs(t, err, unix.EAGAIN)
			require.True(t, bytes.Equal(sent, received))
			require.NoError(t, unix.Close(pair[1]))
			_, err = send(pair[0], buffer, false)
			require.ErrorIs(t, err, unix.EPIPE)
			n, err := receive(pair[0], buffer)
			require.NoError(t, err)
			require.Zero(t, n, "the end")
		})
	}
}
