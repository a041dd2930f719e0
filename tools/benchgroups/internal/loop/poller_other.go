//go:build !linux

package loop

import (
	"errors"
	"net/netip"
	"time"
)

var errNoEpoll = errors.New("it takes Linux: there is no epoll here")

type poller struct{}

func newPoller() (poller, error) { return poller{}, errNoEpoll }

func (*poller) close() error { return nil }

func (*poller) wait(time.Duration) ([]event, error) { return nil, errNoEpoll }

func (*poller) dial(netip.AddrPort) (int32, error) { return 0, errNoEpoll }

func read(int32, []byte) (int, bool, error) { return 0, false, errNoEpoll }

func write(int32, []byte) (int, bool, error) { return 0, false, errNoEpoll }

func closeFile(int32) error { return nil }
