package kafka

import (
	"fmt"
	"net"
	"syscall"

	"odradek.dev/core/internal/config"
)

// tuneListener sets what Kafka sets on a listening socket. The sockets of its
// connections inherit the receive buffer; set later, it would not show in the
// window that a connection begins with.
func tuneListener(l net.Listener, b *config.Broker) error {
	system, ok := l.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if n := b.SocketReceiveBufferBytes; n > 0 {
			if err := syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, n); err != nil {
				failed = fmt.Errorf("socket.receive.buffer.bytes %d: %w", n, err)
				return
			}
		}
		// A socket that listens already takes another backlog all the same.
		if n := b.SocketListenBacklogSize; n > 0 {
			if err := syscall.Listen(int(fd), n); err != nil {
				failed = fmt.Errorf("socket.listen.backlog.size %d: %w", n, err)
			}
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// tuneConnection sets the send buffer. Package net has set TCP_NODELAY and
// SO_KEEPALIVE.
func tuneConnection(conn net.Conn, b *config.Broker) error {
	tcp, ok := conn.(*net.TCPConn)
	if n := b.SocketSendBufferBytes; ok && n > 0 {
		if err := tcp.SetWriteBuffer(n); err != nil {
			return fmt.Errorf("socket.send.buffer.bytes %d: %w", n, err)
		}
	}
	return nil
}
