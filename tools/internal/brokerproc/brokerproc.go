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

	cmd  *exec.Cmd
	gone chan struct{}
	log  logBuffer
}

// New chooses free ports; data is kept in dir.
func New(binary, dir string, args ...string) (*Broker, error) {
	addrs, err := freeAddrs(2)
	if err != nil {
		return nil, err
	}
	return &Broker{Binary: binary, Addr: addrs[0], Admin: addrs[1], DataDir: filepath.Join(dir, "data"), Args: args}, nil
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
		_ = cmd.Wait()
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

// Stop ends the broker with SIGTERM; it has five seconds, and a little more.
func (b *Broker) Stop() error { return b.end(syscall.SIGTERM, 6*time.Second) }

func (b *Broker) end(signal syscall.Signal, within time.Duration) error {
	if b.cmd == nil {
		return nil
	}
	_ = b.cmd.Process.Signal(signal)
	select {
	case <-b.gone:
		b.cmd = nil
		return nil
	case <-time.After(within):
		_ = b.cmd.Process.Kill()
		<-b.gone
		b.cmd = nil
		return fmt.Errorf("the broker did not end within %v of %v; its log:\n%s", within, signal, b.log.String())
	}
}

// freeAddrs returns addresses on which nobody listens.
func freeAddrs(n int) ([]string, error) {
	var addrs []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs, nil
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
