// Package brokerproc runs the odradek binary as a user would start it: one
// process, configured on its command line, on ports of 127.0.0.1 that were free
// a moment ago.
package brokerproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long a broker may take to start or to end. On a machine that
// has nothing else to do it takes a moment.
const patience = time.Minute

// Build compiles the odradek command into dir and returns its path.
func Build(dir string) (string, error) {
	binary := filepath.Join(dir, "odradek")
	build := exec.Command("go", "build", "-o", binary, "odradek.dev/tools/odradek")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building odradek: %w\n%s", err, out)
	}
	return binary, nil
}

// Broker is a broker that can be started, killed and started again on the same
// data and the same ports. Not safe for concurrent use.
type Broker struct {
	Binary string
	// Addr and Admin are host:port. DataDir is log.dirs.
	Addr, Admin, DataDir string
	// Args go behind `serve` and the addresses.
	Args []string
	// Env is added to this process's environment.
	Env []string

	cmd *exec.Cmd
	// gone is closed when the process has ended, with its result in result.
	gone   chan struct{}
	result error
	// log has no name any more. The broker writes to it itself, so that what it
	// has said before an answer is there when the answer is.
	log *os.File
}

// New chooses free ports; data is kept in dir.
func New(binary, dir string, args ...string) (*Broker, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	b := &Broker{Binary: binary, DataDir: filepath.Join(dir, "data"), Args: args}
	if b.log, err = nameless(); err != nil {
		return nil, err
	}
	if b.Addr, err = FreeAddr(); err != nil {
		return nil, err
	}
	for b.Admin = b.Addr; err == nil && b.Admin == b.Addr; {
		b.Admin, err = FreeAddr()
	}
	return b, err
}

// nameless is a file that nobody has to remove.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "odradek-log-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// Start returns when the broker says that it is ready.
func (b *Broker) Start(ctx context.Context) error {
	args := append([]string{"serve", "-X", "listeners=PLAINTEXT://" + b.Addr, "-X", "admin.listener=" + b.Admin, "-X", "log.dirs=" + b.DataDir}, b.Args...)
	b.cmd = exec.Command(b.Binary, args...)
	b.cmd.Env = append(os.Environ(), b.Env...)
	b.cmd.Stdout, b.cmd.Stderr = b.log, b.log
	if err := b.cmd.Start(); err != nil {
		return err
	}
	cmd, gone := b.cmd, make(chan struct{})
	b.gone = gone
	go func() {
		b.result = cmd.Wait()
		close(gone)
	}()
	if err := b.awaitReady(ctx); err != nil {
		return fmt.Errorf("%w; the broker's log:\n%s", err, b.Log())
	}
	return nil
}

func (b *Broker) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if response, err := http.Get("http://" + b.Admin + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-b.gone:
			return errors.New("the broker ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("the broker is not ready: %w", ctx.Err())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// PID is that of the running broker.
func (b *Broker) PID() int { return b.cmd.Process.Pid }

// Log is everything that the broker has printed so far.
func (b *Broker) Log() string {
	info, err := b.log.Stat()
	if err != nil {
		return err.Error()
	}
	text, err := io.ReadAll(io.NewSectionReader(b.log, 0, info.Size()))
	if err != nil {
		return string(text) + err.Error()
	}
	return string(text)
}

// Kill ends the broker with SIGKILL and waits until it is gone.
func (b *Broker) Kill() error { return b.end(syscall.SIGKILL) }

// Stop ends the broker with SIGTERM. It is an error if the broker says that
// something went wrong, as it does when it has not stopped in its own time.
func (b *Broker) Stop() error {
	if b.cmd == nil {
		return nil
	}
	if err := b.end(syscall.SIGTERM); err != nil {
		return err
	}
	if b.result != nil {
		return fmt.Errorf("the broker ended with %w; its log:\n%s", b.result, b.Log())
	}
	return nil
}

// end does nothing to a broker that does not run.
func (b *Broker) end(signal syscall.Signal) error {
	if b.cmd == nil {
		return nil
	}
	process := b.cmd.Process
	b.cmd = nil
	_ = process.Signal(signal) // it may have ended by itself
	select {
	case <-b.gone:
		return nil
	case <-time.After(patience):
		_ = process.Kill()
		<-b.gone
		return fmt.Errorf("the broker did not end within %v of %v; its log:\n%s", patience, signal, b.Log())
	}
}

// Systems give out ports from here on by themselves: Linux from 32768, darwin
// from 49152.
const leastEphemeral = 32768

// FreeAddr is a port of 127.0.0.1 on which nobody listened a moment ago. It is
// none that a system gives out by itself: a listener without a port of its own,
// or the near end of a connection, would have it before the broker does, or
// while the broker is away.
func FreeAddr() (string, error) {
	const least, tries = 10000, 100
	var taken error
	for range tries {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", least+rand.IntN(leastEphemeral-least)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
		taken = err
	}
	return "", taken
}
