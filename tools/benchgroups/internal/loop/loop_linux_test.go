package loop

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func newLoop(t *testing.T) *Loop {
	l, err := New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

// run runs tasks until all of them are over.
func run(t *testing.T, l *Loop, tasks ...*Task) {
	runUntil(t, l, func() bool {
		for _, one := range tasks {
			if !one.Over() {
				return false
			}
		}
		return true
	})
}

// runUntil runs tasks until something has become of them.
func runUntil(t *testing.T, l *Loop, done func() bool) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, l.Run(ctx, done))
}

// Tasks go on in the order of their times, whichever slept first.
func TestSleep(t *testing.T) {
	l := newLoop(t)
	began := time.Now()
	var woke []int
	var tasks []*Task
	for _, n := range []int{3, 1, 2} {
		tasks = append(tasks, l.Go(func() {
			until := began.Add(time.Duration(n) * time.Millisecond)
			if l.Sleep(until) == nil && !time.Now().Before(until) {
				woke = append(woke, n)
			}
		}))
	}
	run(t, l, tasks...)
	require.Equal(t, []int{1, 2, 3}, woke)
}

// One that is woken goes on once, and a task that does not sleep is not woken.
func TestWake(t *testing.T) {
	l := newLoop(t)
	var slept []error
	sleeper := l.Go(func() {
		for range 2 {
			slept = append(slept, l.Sleep(time.Now().Add(time.Hour)))
		}
	})
	sleeper.Wake() // it has not begun
	wakers := func() *Task {
		return l.Go(func() {
			sleeper.Wake()
			sleeper.Wake()
		})
	}
	run(t, l, wakers())
	runUntil(t, l, func() bool { return len(slept) > 0 })
	require.NoError(t, l.RunUntil(t.Context(), time.Now().Add(time.Millisecond)))
	require.Equal(t, []error{nil}, slept)
	run(t, l, wakers(), sleeper)
	require.Equal(t, []error{nil, nil}, slept)
	require.Empty(t, l.timers)
}

// Whatever a stopped task waits for ends, then and later; one that has not begun
// never does.
func TestStop(t *testing.T) {
	l := newLoop(t)
	var ends []error
	sleeper := l.Go(func() {
		for range 2 {
			ends = append(ends, l.Sleep(time.Now().Add(time.Hour)))
		}
	})
	conn, _ := pair(t, l)
	reader := l.Go(func() {
		_, err := conn.Read(make([]byte, 1))
		ends = append(ends, err)
	})
	runUntil(t, l, func() bool { return sleeper.place >= 0 && conn.reader == reader })
	for _, one := range []*Task{sleeper, reader, l.Go(func() { ends = append(ends, errors.New("it has begun")) })} {
		one.Stop()
		one.Stop()
		require.True(t, one.Over())
	}
	require.NoError(t, l.RunUntil(t.Context(), time.Now().Add(time.Millisecond)))
	require.Equal(t, []error{ErrStopped, ErrStopped, ErrStopped}, ends)
	require.Empty(t, l.timers)
}

func TestRunEndsWithItsContext(t *testing.T) {
	l, broken := newLoop(t), errors.New("broken")
	ctx, cancel := context.WithCancelCause(t.Context())
	l.Go(func() { cancel(broken) })
	require.ErrorIs(t, l.Run(ctx, func() bool { return false }), broken)
	require.ErrorIs(t, l.RunUntil(ctx, time.Now().Add(time.Hour)), broken)
}

// pair is a connection, and the other end of it.
func pair(t *testing.T, l *Loop) (*Conn, *net.TCPConn) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	conn, err := l.Dial(listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	peer, err := listener.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { peer.Close() })
	return conn, peer.(*net.TCPConn)
}

// More than any socket takes at once comes back whole, while another task sends
// it, and what was sent before the end is read before it.
func TestConn(t *testing.T) {
	l := newLoop(t)
	conn, peer := pair(t, l)
	echoed := make(chan error, 1)
	go func() {
		_, err := io.CopyN(peer, peer, 16<<20)
		echoed <- errors.Join(err, peer.CloseWrite())
	}()
	sent := make([]byte, 16<<20)
	for i := range sent {
		sent[i] = byte(i / 1000)
	}
	var got []byte
	var failures []error
	writer := l.Go(func() {
		_, err := conn.Write(sent)
		failures = append(failures, err)
	})
	reader := l.Go(func() {
		var err error
		got, err = io.ReadAll(conn)
		failures = append(failures, err)
	})
	run(t, l, writer, reader)
	require.NoError(t, <-echoed)
	require.Equal(t, []error{nil, nil}, failures)
	require.Equal(t, sent, got)
}

// A connection that this side closes fails who waits for it, and all after.
func TestClose(t *testing.T) {
	l := newLoop(t)
	conn, _ := pair(t, l)
	var ends []error
	reader := l.Go(func() {
		for range 2 {
			_, err := conn.Read(make([]byte, 1))
			ends = append(ends, err)
		}
		_, err := conn.Write([]byte{1})
		ends = append(ends, err)
	})
	run(t, l, l.Go(func() { ends = append(ends, conn.Close()) }), reader)
	require.Equal(t, []error{nil, net.ErrClosed, net.ErrClosed, net.ErrClosed}, ends)
}

func TestDialNobody(t *testing.T) {
	l := newLoop(t)
	_, err := l.Dial("127.0.0.1:1")
	require.ErrorContains(t, err, "connecting to 127.0.0.1:1: connect: connection refused")
	_, err = l.Dial("[::1]:9")
	require.ErrorContains(t, err, "no IPv4 address")
	_, err = l.Dial("here")
	require.Error(t, err)
}
