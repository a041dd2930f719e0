package loop

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// epollPwait2 is the number of that system call on every architecture; unlike
// the older ones it takes a time to the nanosecond.
const epollPwait2 = 441

// epollEdge is EPOLLET, which the syscall package has as a negative number.
const epollEdge = 1 << 31

// poller is an epoll(7) instance.
type poller struct {
	fd     int
	events *[128]syscall.EpollEvent
	// timeout is of the call that waits. It is not on the stack, which may move.
	timeout syscall.Timespec
	heard   []event
}

func newPoller() (poller, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	return poller{fd: fd, events: new([128]syscall.EpollEvent)}, os.NewSyscallError("epoll_create1", err)
}

func (p *poller) close() error { return syscall.Close(p.fd) }

// briefly is how long the Go scheduler is not told that the thread waits. To tell
// it wakes the runtime's monitor, which then looks every 20 us, at the cost of the
// server that is measured. A garbage collection may have to wait for so long.
const briefly = time.Millisecond

// wait returns what happens until then, which is valid until the next call.
func (p *poller) wait(atMost time.Duration) ([]event, error) {
	n, err := p.ask(syscall.RawSyscall6, min(atMost, briefly))
	if n == 0 && err == nil && atMost > briefly {
		n, err = p.ask(syscall.Syscall6, atMost-briefly)
	}
	p.heard = p.heard[:0]
	for _, e := range p.events[:n] {
		p.heard = append(p.heard, event{
			fd:       e.Fd,
			readable: e.Events&syscall.EPOLLIN != 0,
			writable: e.Events&(syscall.EPOLLOUT|syscall.EPOLLHUP|syscall.EPOLLERR) != 0,
			ended:    e.Events&(syscall.EPOLLRDHUP|syscall.EPOLLHUP|syscall.EPOLLERR) != 0,
		})
	}
	return p.heard, err
}

type systemCall func(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno)

// ask fills in so many of the events. An interrupted wait is one in which nothing
// happened.
func (p *poller) ask(call systemCall, atMost time.Duration) (events int, err error) {
	p.timeout = syscall.NsecToTimespec(atMost.Nanoseconds())
	n, _, errno := call(epollPwait2, uintptr(p.fd), uintptr(unsafe.Pointer(p.events)), uintptr(len(p.events)), uintptr(unsafe.Pointer(&p.timeout)), 0, 0)
	switch errno {
	case 0:
		return int(n), nil
	case syscall.EINTR:
		return 0, nil
	case syscall.ENOSYS:
		return 0, errors.New("the system has no epoll_pwait2: it takes Linux 5.11")
	}
	return 0, os.NewSyscallError("epoll_pwait2", errno)
}

// dial connects and then makes the socket one that never blocks.
func (p *poller) dial(to netip.AddrPort) (int32, error) {
	if !to.Addr().Is4() {
		return 0, fmt.Errorf("%s is no IPv4 address", to.Addr())
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	if err := p.connect(fd, to); err != nil {
		return 0, errors.Join(err, syscall.Close(fd))
	}
	return int32(fd), nil
}

func (p *poller) connect(fd int, to netip.AddrPort) error {
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		return os.NewSyscallError("connect", err)
	}
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	all := syscall.EpollEvent{Fd: int32(fd), Events: syscall.EPOLLIN | syscall.EPOLLOUT | syscall.EPOLLRDHUP | epollEdge}
	return os.NewSyscallError("epoll_ctl", syscall.EpollCtl(p.fd, syscall.EPOLL_CTL_ADD, fd, &all))
}

// read reports with again that there is nothing now. A socket that never blocks
// needs no word to the scheduler, hence the raw calls.
func read(fd int32, b []byte) (n int, again bool, err error) {
	return transfer(syscall.SYS_READ, fd, b)
}

// write reports with again that the socket takes no more now.
func write(fd int32, b []byte) (n int, again bool, err error) {
	return transfer(syscall.SYS_WRITE, fd, b)
}

func transfer(call uintptr, fd int32, b []byte) (n int, again bool, err error) {
	for {
		n, _, errno := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch errno {
		case 0:
			return int(n), false, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, true, nil
		default:
			return 0, false, errno
		}
	}
}

func closeFile(fd int32) error { return syscall.Close(int(fd)) }
