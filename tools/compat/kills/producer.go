package kills

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"odradek.dev/tools/internal/kafkadist"
)

// producer is Kafka's VerifiableProducer, which sends 0, 1, 2, ... and says of
// each whether it was acknowledged, and where.
type producer struct {
	name, topic string
	cmd         *exec.Cmd
	stderr      strings.Builder
	// heard is signalled after each acknowledgement; ended is closed after the
	// last.
	heard, ended chan struct{}

	mu           sync.Mutex
	acknowledged []acknowledgement
	refused      []string
	failure      error
}

// acknowledgement is a line that the tool prints for a record.
type acknowledgement struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Offset  int64  `json:"offset"`
	Message string `json:"message"`
}

// perSecond is what a producer sends, so that the kills and not the machine
// set the pace.
const perSecond = "4000"

func startProducer(ctx context.Context, kafka kafkadist.Dist, p *producer, addr, dir, config string) error {
	file := filepath.Join(dir, p.topic+".properties")
	if err := os.WriteFile(file, []byte("reconnect.backoff.ms=10\nreconnect.backoff.max.ms=50\nretry.backoff.max.ms=50\n"+config), 0o644); err != nil {
		return err
	}
	p.cmd = kafka.Java(ctx, "256m", "-Dorg.apache.logging.log4j.level=OFF", "-XX:+UseSerialGC", "org.apache.kafka.tools.VerifiableProducer",
		"--bootstrap-server", addr, "--topic", p.topic, "--acks", "-1", "--throughput", perSecond, "--command-config", file)
	p.cmd.Stderr = &p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.heard, p.ended = make(chan struct{}, 1), make(chan struct{})
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go p.listen(stdout)
	return nil
}

func (p *producer) listen(stdout io.Reader) {
	defer close(p.ended)
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		var one acknowledgement
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			p.note(func() { p.failure = fmt.Errorf("%s printed %q: %w", p.name, lines.Text(), err) })
			continue
		}
		switch one.Name {
		case "producer_send_success":
			p.note(func() { p.acknowledged = append(p.acknowledged, one) })
		case "producer_send_error":
			p.note(func() { p.refused = append(p.refused, one.Message) })
		}
	}
}

func (p *producer) note(change func()) {
	p.mu.Lock()
	change()
	p.mu.Unlock()
	select {
	case p.heard <- struct{}{}:
	default:
	}
}

func (p *producer) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.acknowledged)
}

// await returns when so many records have been acknowledged.
func (p *producer) await(ctx context.Context, count int) error {
	for p.count() < count {
		select {
		case <-p.heard:
		case <-p.ended:
			return fmt.Errorf("%s ended after %d acknowledged records: %s", p.name, p.count(), p.stderr.String())
		case <-ctx.Done():
			return fmt.Errorf("%s has %d records acknowledged and not %d: %w", p.name, p.count(), count, ctx.Err())
		}
	}
	return nil
}

// stop has the producer send what it still has, and end.
func (p *producer) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-p.ended
	_ = p.cmd.Wait() // 143: it was asked to
	return p.failure
}
