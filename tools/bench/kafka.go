package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"odradek.dev/tools/internal/brokerproc"
)

//go:embed kafka/pom.xml
var pom []byte

// fetchKafka puts Kafka's jars into dir, unless they are there.
func fetchKafka(ctx context.Context, dir string) error {
	if jars, _ := filepath.Glob(filepath.Join(dir, "kafka_2.13-*.jar")); len(jars) > 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	project := filepath.Join(dir, "pom.xml")
	if err := os.WriteFile(project, pom, 0o644); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", project, "dependency:copy-dependencies", "-DoutputDirectory="+dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("fetching Kafka with mvn: %w\n%s", err, out)
	}
	return nil
}

func kafkaBroker(jars string) *broker {
	return &broker{name: "kafka", command: func(ctx context.Context, addr, dir string) (*exec.Cmd, error) {
		config := filepath.Join(dir, "server.properties")
		controller, err := brokerproc.FreeAddr()
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(config, []byte(kafkaProperties(addr, controller, dir)), 0o644); err != nil {
			return nil, err
		}
		java := func(heap string, args ...string) *exec.Cmd {
			return exec.CommandContext(ctx, "java", append([]string{"-Xmx" + heap, "-Xms" + heap, "-XX:+UseG1GC", "-cp", jars + "/*"}, args...)...)
		}
		id, err := java("64m", "kafka.tools.StorageTool", "random-uuid").Output()
		if err != nil {
			return nil, fmt.Errorf("random-uuid: %w", err)
		}
		format := java("128m", "kafka.tools.StorageTool", "format", "--standalone", "-t", strings.TrimSpace(string(id)), "-c", config)
		if out, err := format.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("format: %w\n%s", err, out)
		}
		return java("1g", "kafka.Kafka", config), nil
	}}
}

func kafkaProperties(addr, controller, dir string) string {
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
