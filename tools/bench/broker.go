package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// broker is a way to start one kind of broker on empty data.
type broker struct {
	name string
	// command returns the command that serves on addr and keeps all it has in
	// dir.
	command func(ctx context.Context, addr, dir string) (*exec.Cmd, error)
}

// process is a broker that runs.
type process struct {
	cmd       *exec.Cmd
	addr, dir string
	startTime time.Duration
}

func odradekBroker(binary string) *broker {
	return &broker{name: "odradek", command: func(ctx context.Context, addr, dir string) (*exec.Cmd, error) {
		admin, err := brokerproc.FreeAddr()
		return exec.CommandContext(ctx, binary, "serve",
			"-X", "listeners=PLAINTEXT://"+addr, "-X", "log.dirs="+filepath.Join(dir, "data"), "-X", "admin.listener="+admin), err
	}}
}

func kafkaBroker(kafka kafkadist.Dist) *broker {
	return &broker{name: "kafka", command: func(ctx context.Context, addr, dir string) (*exec.Cmd, error) {
		return kafka.BrokerCommand(ctx, "1g", addr, dir)
	}}
}

func (b *broker) start(ctx context.Context) (*process, error) {
	dir, err := os.MkdirTemp("", "bench-"+b.name+"-")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir}
	if p.addr, err = brokerproc.FreeAddr(); err != nil {
		return nil, err
	}
	if p.cmd, err = b.command(ctx, p.addr, dir); err != nil {
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
	if err := brokerproc.AwaitAnswer(ctx, p.addr); err != nil {
		p.stop()
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	p.startTime = time.Since(began)
	return p, nil
}

// stop ends the broker and removes its data.
func (p *process) stop() {
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

const partitions = 6

func createTopic(ctx context.Context, addr, topic string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	if _, err := admin.CreateTopic(ctx, partitions, 1, nil, topic); err != nil {
		return err
	}
	for {
		offsets, err := admin.ListEndOffsets(ctx, topic)
		if err == nil && offsets.Error() == nil && len(offsets[topic]) == partitions {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(50 * time.Millisecond)
	}
}
