package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	startTimeout = 15 * time.Second
	stopTimeout  = 5 * time.Second
	readyPeriod  = 20 * time.Millisecond
)

// broker is bin/odradek serve as a process.
type broker struct {
	bootstrap, admin string
	command          *exec.Cmd
	log              bytes.Buffer
	// exited is closed once the process has ended, with its result in result.
	exited chan struct{}
	result error
}

// startBroker returns a broker that is ready to serve.
func startBroker(ctx context.Context, binary, folder string) (*broker, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	b := &broker{exited: make(chan struct{})}
	if b.bootstrap, err = freeAddress(); err != nil {
		return nil, err
	}
	if b.admin, err = freeAddress(); err != nil {
		return nil, err
	}
	b.command = exec.Command(binary, "serve",
		"-X", "listeners=PLAINTEXT://"+b.bootstrap,
		"-X", "log.dirs="+filepath.Join(folder, "data"),
		"-X", "admin.listener="+b.admin,
	)
	b.command.Dir = folder
	b.command.Stdout, b.command.Stderr = &b.log, &b.log
	if err := b.command.Start(); err != nil {
		return nil, fmt.Errorf("%w; `make build` makes it", err)
	}
	go func() {
		b.result = b.command.Wait()
		close(b.exited)
	}()
	began := time.Now()
	if err := b.waitReady(ctx); err != nil {
		return nil, errors.Join(err, b.kill(), fmt.Errorf("its log:\n%s", b.log.String()))
	}
	fmt.Printf("broker %d is ready at %s after %v\n", b.command.Process.Pid, b.bootstrap, time.Since(began).Round(time.Millisecond))
	return b, nil
}

// freeAddress asks the system for a port that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (b *broker) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(readyPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the broker was not ready after %v", startTimeout)
		case <-b.exited:
			return fmt.Errorf("the broker ended at its start: %w", b.result)
		case <-tick.C:
			if b.ready(ctx) {
				return nil
			}
		}
	}
}

func (b *broker) ready(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.admin+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (b *broker) pid() int { return b.command.Process.Pid }

// stops is the last scenario.
func stops(ctx context.Context, s *suite) error {
	b := s.broker
	if err := b.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	select {
	case <-b.exited:
	case <-ctx.Done():
		return fmt.Errorf("still running after %v", stopTimeout)
	}
	if b.result != nil {
		return fmt.Errorf("it ended with %w; its log:\n%s", b.result, b.log.String())
	}
	return nil
}

// kill ends the process if it still runs.
func (b *broker) kill() error {
	err := b.command.Process.Kill()
	<-b.exited
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
