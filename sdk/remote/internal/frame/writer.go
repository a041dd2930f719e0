package frame

import (
	"errors"
	"net"
	"runtime"
	"sync"
	"syscall"

	"odradek.dev/sdk/module"
)

// maxQueued is how much may wait for a far side that does not read, in bytes.
// Beyond it callers are refused instead of growing this process; only a single
// frame may be longer.
const maxQueued = 16 << 20

// writer sends frames of many goroutines over one socket with as few system
// calls as there are pauses between the frames. The goroutine that finds nobody
// writing writes, for itself and for those that come meanwhile, as long as the
// socket takes it without blocking; what the socket does not take is left to a
// goroutine of its own, so that no caller waits past its deadline for a far
// side that does not read.
type writer struct {
	conn *net.UnixConn
	raw  syscall.RawConn

	mu     sync.Mutex
	queued []byte
	spare  []byte
	// writing is true while one goroutine has the right to write.
	writing bool
	err     error

	// attempt, batch, wrote and failed belong to the goroutine that writes;
	// attempt is made once so that a write allocates nothing.
	attempt func(fd uintptr) bool
	batch   []byte
	wrote   int
	failed  error
}

func newWriter(conn *net.UnixConn) (*writer, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, raw: raw}
	w.attempt = func(fd uintptr) bool {
		w.wrote, w.failed = syscall.Write(int(fd), w.batch)
		return true
	}
	return w, nil
}

// send queues a copy of frame and, if nobody is writing, writes. busy says that
// other calls are in flight: then it lets their goroutines add their frames
// first.
func (w *writer) send(frame []byte, busy bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if len(w.queued) > 0 && len(w.queued)+len(frame) > maxQueued {
		return module.Retriablef("%d bytes wait for a process that does not read", len(w.queued))
	}
	w.queued = append(w.queued, frame...)
	if w.writing {
		return nil
	}
	w.writing = true
	if busy {
		w.mu.Unlock()
		runtime.Gosched()
		w.mu.Lock()
	}
	w.flush()
	return w.err
}

// flush writes what is queued. It is called with mu held and writing set, and
// returns with mu held; writing is then false, or owned by a goroutine that
// waits for the socket.
func (w *writer) flush() {
	for len(w.queued) > 0 && w.err == nil {
		w.take()
		w.mu.Unlock()
		n, err := w.tryWrite()
		w.mu.Lock()
		if err != nil {
			w.err = err
		} else if n < len(w.batch) {
			go w.drain(n)
			return
		}
		w.giveBack()
	}
	w.writing = false
}

// drain writes the rest of the batch from byte n on, waiting for the socket.
func (w *writer) drain(n int) {
	_, err := w.conn.Write(w.batch[n:])
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.err = err
	}
	w.giveBack()
	w.flush()
}

func (w *writer) take() { w.batch, w.queued, w.spare = w.queued, w.spare[:0], nil }

func (w *writer) giveBack() {
	if cap(w.batch) <= maxKept {
		w.spare = w.batch[:0]
	}
	w.batch = nil
}

// tryWrite writes as much of the batch as the socket takes now.
func (w *writer) tryWrite() (int, error) {
	for {
		if err := w.raw.Write(w.attempt); err != nil {
			return 0, err
		}
		switch {
		case w.failed == nil:
			return w.wrote, nil
		case errors.Is(w.failed, syscall.EAGAIN):
			return 0, nil
		case !errors.Is(w.failed, syscall.EINTR):
			return 0, w.failed
		}
	}
}
