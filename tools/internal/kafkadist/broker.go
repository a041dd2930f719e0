package kafkadist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"odradek.dev/tools/internal/brokerproc"
)

// BrokerCommand returns the command that serves on addr, as node 1 and its own
// controller, and keeps all that it has below dir. The first time it formats
// dir/data. Settings are name=value, of the broker's configuration.
func (d Dist) BrokerCommand(ctx context.Context, heap, addr, dir string, settings ...string) (*exec.Cmd, error) {
	config := filepath.Join(dir, "server.properties")
	_, err := os.Stat(config)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.format(ctx, config, addr, dir)
	}
	if err != nil {
		return nil, err
	}
	return d.Java(ctx, heap, slices.Concat([]string{"-Xms" + heap, "-XX:+UseG1GC", "kafka.Kafka", config}, overrides(settings))...), nil
}

func overrides(settings []string) (args []string) {
	for _, one := range settings {
		args = append(args, "--override", one)
	}
	return args
}

func (d Dist) format(ctx context.Context, config, addr, dir string) error {
	var err error
	controller := addr
	for err == nil && controller == addr {
		controller, err = brokerproc.FreeAddr()
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(config, []byte(properties(addr, controller, dir)), 0o644); err != nil {
		return err
	}
	id, err := d.Java(ctx, "64m", "kafka.tools.StorageTool", "random-uuid").Output()
	if err != nil {
		return fmt.Errorf("random-uuid: %w", err)
	}
	format := d.Java(ctx, "128m", "kafka.tools.StorageTool", "format", "--standalone", "-t", strings.TrimSpace(string(id)), "-c", config)
	if out, err := format.CombinedOutput(); err != nil {
		return fmt.Errorf("format: %w\n%s", err, out)
	}
	return nil
}

func properties(addr, controller, dir string) string {
	return strings.Join([]string{
		"process.roles=broker,controller",
		"node.id=1",
		"listeners=PLAINTEXT://" + addr + ",CONTROLLER://" + controller,
		"advertised.listeners=PLAINTEXT://" + addr,
		"controller.listener.names=CONTROLLER",
		"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
		"controller.quorum.bootstrap.servers=" + controller,
		"log.dirs=" + filepath.Join(dir, "data"),
		"offsets.topic.replication.factor=1",
		"transaction.state.log.replication.factor=1",
		"transaction.state.log.min.isr=1",
	}, "\n")
}

// Broker is a broker of Kafka that can be stopped and started again on the
// same data and the same port. Not safe for concurrent use.
type Broker struct {
	// Addr is host:port. DataDir is log.dirs.
	Addr, DataDir string
	// Settings are name=value, of the broker's configuration.
	Settings []string

	dist Dist
	dir  string
	cmd  *exec.Cmd
	gone chan struct{}
}

// NewBroker chooses free ports; all that the broker has is kept in dir.
func (d Dist) NewBroker(dir string) (*Broker, error) {
	addr, err := brokerproc.FreeAddr()
	if err != nil {
		return nil, err
	}
	return &Broker{Addr: addr, DataDir: filepath.Join(dir, "data"), dist: d, dir: dir}, os.MkdirAll(dir, 0o755)
}

// Start returns when the broker answers.
func (b *Broker) Start(ctx context.Context) error {
	cmd, err := b.dist.BrokerCommand(context.WithoutCancel(ctx), "512m", b.Addr, b.dir, b.Settings...)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(b.dir, "broker.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	b.cmd, b.gone = cmd, gone
	go func() {
		_ = cmd.Wait() // killed or stopped by us, or seen by whoever asks it something
		close(gone)
	}()
	if err := brokerproc.AwaitAnswer(ctx, b.Addr); err != nil {
		text, _ := os.ReadFile(log.Name())
		return errors.Join(fmt.Errorf("the broker of Kafka does not answer: %w; its log:\n%s", err, text), b.Stop())
	}
	return nil
}

// Stop ends the broker with SIGTERM and waits until it is gone.
func (b *Broker) Stop() error {
	if b.cmd == nil {
		return nil
	}
	process := b.cmd.Process
	b.cmd = nil
	_ = process.Signal(syscall.SIGTERM) // it may have ended by itself
	select {
	case <-b.gone:
		return nil
	case <-time.After(time.Minute):
		_ = process.Kill()
		<-b.gone
		return errors.New("the broker of Kafka did not end within a minute of SIGTERM")
	}
}
