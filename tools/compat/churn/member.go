package churn

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"odradek.dev/tools/compat/churn/event"
)

// member is a process that is a member of a group.
type member struct {
	name, library string
	cmd           *exec.Cmd
	// ledger is that of its group.
	ledger *ledger
	// input is held open; the member leaves when it is closed.
	input  io.Closer
	stderr tail
	// released: it was told to leave, or killed.
	released atomic.Bool
	// ended is closed when the process is gone and all that it said is in the
	// ledger; failure is set by then.
	ended   chan struct{}
	failure error
}

// startMember starts the process; what it tells goes to the ledger.
func startMember(name, library string, cmd *exec.Cmd, l *ledger) (*member, error) {
	m := &member{name: name, library: library, cmd: cmd, ledger: l, ended: make(chan struct{})}
	cmd.Stderr = &m.stderr
	var err error
	if m.input, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	m.tell(join)
	go m.listen(stdout)
	return m, nil
}

func (m *member) listen(stdout io.Reader) {
	defer close(m.ended)
	lines := bufio.NewReader(stdout)
	var heard error
	for heard == nil {
		heard = m.hear(lines)
	}
	if errors.Is(heard, io.EOF) {
		heard = nil
	}
	ended := m.cmd.Wait()
	switch {
	case heard != nil:
		m.failure = heard
	case !m.released.Load():
		m.failure = fmt.Errorf("%s ended by itself: %v: %s", m.name, ended, m.stderr.String())
	case ended != nil && !killed(ended):
		m.failure = fmt.Errorf("%s left with %w: %s", m.name, ended, m.stderr.String())
	}
}

func (m *member) hear(lines *bufio.Reader) error {
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return io.EOF // a line that a kill has cut off says nothing
	}
	var e event.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("%s printed %.200q: %w", m.name, line, err)
	}
	m.ledger.add(m.name, m.library, e)
	return nil
}

// killed says whether a process ended by SIGKILL, which is always ours.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// tell has the ledger know what is done to the member.
func (m *member) tell(what action) {
	m.ledger.did(time.Now().UnixMilli(), what, m.name, m.library)
}

// do carries out an action on a member that runs.
func (m *member) do(what action) error {
	select {
	case <-m.ended:
		return errors.Join(fmt.Errorf("there is no %s to %s any more", m.name, what), m.failure)
	default:
	}
	m.tell(what)
	switch what {
	case leave:
		m.released.Store(true)
		return m.input.Close()
	case kill:
		m.released.Store(true)
		return m.cmd.Process.Signal(syscall.SIGKILL)
	case stop:
		return m.cmd.Process.Signal(syscall.SIGSTOP)
	case resume:
		return m.cmd.Process.Signal(syscall.SIGCONT)
	}
	return fmt.Errorf("a member cannot %s", what)
}

// await waits until the process is gone, or it is late.
func (m *member) await(late func() bool) error {
	for {
		select {
		case <-m.ended:
			return m.failure
		case <-time.After(look):
			if late() {
				return fmt.Errorf("%s has not left in time: %s", m.name, m.stderr.String())
			}
		}
	}
}

// end kills the process, if it runs, and waits for it.
func (m *member) end() {
	m.released.Store(true)
	_ = m.cmd.Process.Signal(syscall.SIGKILL) // it may have ended by itself
	<-m.ended
}

// tail keeps the last that a process has said.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailBytes; over > 0 {
		t.text = t.text[over:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
