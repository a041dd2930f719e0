// Package brokerproc runs the odradek binary as a user would start it: one
// process, configured on its command line, on ports of 127.0.0.1 that were free
// a moment ago.
package brokerproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

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
	log    logBuffer
}

// New chooses free ports; data is kept in dir.
func New(binary, dir string, args ...string) (*Broker, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	b := &Broker{Binary: binary, DataDir: filepath.Join(dir, "data"), Args: args}
	if b.Addr, err = FreeAddr(); err != nil {
		return nil, err
	}
	b.Admin, err = FreeAddr()
	return b, err
}

// Start returns when the broker says that it is ready.
func (b *Broker) Start(ctx context.Context) error {
	args := append([]string{"serve", "-X", "listeners=PLAINTEXT://" + b.Addr, "-X", "admin.listener=" + b.Admin, "-X", "log.dirs=" + b.DataDir}, b.Args...)
	b.cmd = exec.Command(b.Binary, args...)
	b.cmd.Env = append(os.Environ(), b.Env...)
	b.cmd.Stdout, b.cmd.Stderr = &b.log, &b.log
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
		return fmt.Errorf("%w; the broker's log:\n%s", err, b.log.String())
	}
	return nil
}

func (b *Broker) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
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
func (b *Broker) Log() string { return b.log.String() }

// Kill ends the broker with SIGKILL and waits until it is gone.
func (b *Broker) Kill() error { return b.end(syscall.SIGKILL, 10*time.Second) }

// Stop ends the broker with SIGTERM, for which it has five seconds. It is an
// error if the broker then says that something went wrong.
func (b *Broker) Stop() error {
	if b.cmd == nil {
		return nil
	}
	if err := b.end(syscall.SIGTERM, 5*time.Second); err != nil {
		return err
	}
	if b.result != nil {
		return fmt.Errorf("the broker ended with %w; its log:\n%s", b.result, b.log.String())
	}
	return nil
}

// end does nothing to a broker that does not run.
func (b *Broker) end(signal syscall.Signal, within time.Duration) error {
	if b.cmd == nil {
		return nil
	}
	process := b.cmd.Process
	b.cmd = nil
	_ = process.Signal(signal) // it may have ended by itself
	select {
	case <-b.gone:
		return nil
	case <-time.After(within):
		_ = process.Kill()
		<-b.gone
		return fmt.Errorf("the broker did not end within %v of %v; its log:\n%s", within, signal, b.log.String())
	}
}

// FreeAddr is a port of 127.0.0.1 on which nobody listened a moment ago.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

type logBuffer struct {
	mu   sync.Mutex
	text []byte
}

var _ io.Writer = (*logBuffer)(nil)

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
