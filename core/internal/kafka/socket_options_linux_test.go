package kafka

import (
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"odradek.dev/core/internal/config"
)

// The system doubles what it is asked for, and shows the backlog of a listening
// socket in the place of a count of segments.
func TestSocketsAreTuned(t *testing.T) {
	b := config.Default()
	b.SocketSendBufferBytes, b.SocketReceiveBufferBytes, b.SocketListenBacklogSize = 50_000, 60_000, 7
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, tuneListener(l, &b))
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer client.Close()
	conn, err := l.Accept()
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, tuneConnection(conn, &b))

	control(t, conn, func(fd int) {
		send, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF)
		require.NoError(t, err)
		require.Equal(t, 100_000, send)
		receive, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
		require.NoError(t, err)
		require.Equal(t, 120_000, receive)
		alive, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE)
		require.NoError(t, err)
		require.Equal(t, 1, alive)
	})
	control(t, l, func(fd int) {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		require.NoError(t, err)
		require.EqualValues(t, 7, info.Sacked)
	})
}

func control(t *testing.T, of any, do func(fd int)) {
	t.Helper()
	raw, err := of.(syscall.Conn).SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) { do(int(fd)) }))
}
