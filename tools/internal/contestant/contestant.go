// Package contestant starts Odradek and Apache Kafka for benchmarks: each on
// empty data, and with the same settings where both know them.
package contestant

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// Contestant is a way to start one kind of broker.
type Contestant struct {
	Name string
	// command returns the command that serves on addr and keeps all it has in
	// dir. settings are of the form name=value.
	command func(ctx context.Context, addr, dir string, settings []string) (*exec.Cmd, error)
}

// Process is a broker that runs.
type Process struct {
	Addr string
	// StartTime is how long it took to its first answer.
	StartTime time.Duration

	cmd *exec.Cmd
	dir string
}

// Odradek runs the binary.
func Odradek(binary string) *Contestant {
	return &Contestant{Name: "odradek", command: func(ctx context.Context, addr, dir string, settings []string) (*exec.Cmd, error) {
		admin, err := brokerproc.FreeAddr()
		args := []string{"serve", "-X", "listeners=PLAINTEXT://" + addr, "-X", "log.dirs=" + filepath.Join(dir, "data"), "-X", "admin.listener=" + admin}
		for _, setting := range settings {
			args = append(args, "-X", setting)
		}
		return exec.CommandContext(ctx, binary, args...), err
	}}
}

// Kafka runs Apache Kafka with the heap of its own start script.
func Kafka(kafka kafkadist.Dist) *Contestant {
	return &Contestant{Name: "kafka", command: func(ctx context.Context, addr, dir string, settings []string) (*exec.Cmd, error) {
		cmd, err := kafka.BrokerCommand(ctx, "1g", addr, dir)
		if err != nil {
			return nil, err
		}
		for _, setting := range settings {
			cmd.Args = append(cmd.Args, "--override", setting)
		}
		return cmd, nil
	}}
}

// All is those that are to be measured: the binary of Odradek, and Kafka from a
// folder of its jars, which are fetched if there are none; without those that
// are empty.
func All(ctx context.Context, odradek, kafka string) ([]*Contestant, error) {
	var all []*Contestant
	if odradek != "" {
		all = append(all, Odradek(odradek))
	}
	if kafka != "" {
		dist, err := kafkadist.Fetch(ctx, kafka)
		if err != nil {
			return nil, err
		}
		all = append(all, Kafka(dist))
	}
	return all, nil
}

// Start starts the broker and returns when it answers.
func (c *Contestant) Start(ctx context.Context, settings ...string) (*Process, error) {
	dir, err := os.MkdirTemp("", "bench-"+c.Name+"-")
	if err != nil {
		return nil, err
	}
	p := &Process{dir: dir}
	if p.Addr, err = brokerproc.FreeAddr(); err != nil {
		return nil, err
	}
	if p.cmd, err = c.command(ctx, p.Addr, dir, settings); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "broker.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd.Stdout, p.cmd.Stderr = log, log
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := brokerproc.AwaitAnswer(ctx, p.Addr); err != nil {
		said, _ := os.ReadFile(log.Name())
		p.Stop()
		return nil, fmt.Errorf("%s does not answer: %w; its log:\n%s", c.Name, err, said)
	}
	p.StartTime = time.Since(began)
	return p, nil
}

// PID is that of the running broker.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop ends the broker and removes its data.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	gone := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
		<-gone
	}
	_ = os.RemoveAll(p.dir)
}
