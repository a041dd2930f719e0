package clients

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"odradek.dev/tools/compat/languages"
	"odradek.dev/tools/compat/sample"
	"odradek.dev/tools/internal/kafkadist"
)

// process is a library of another language, behind a program that reads a
// request a line and writes an answer a line. Not safe for concurrent use.
type process struct {
	cmd     *exec.Cmd
	input   io.WriteCloser
	answers *bufio.Reader
	stderr  strings.Builder
}

// request asks to write the records, or, where there are none, to read count.
type request struct {
	Addr    string          `json:"addr"`
	Topic   string          `json:"topic"`
	Codec   string          `json:"codec"`
	Count   int             `json:"count"`
	Records []sample.Record `json:"records"`
}

type answer struct {
	Records []sample.Record `json:"records"`
	Error   string          `json:"error"`
}

func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd}
	cmd.Stderr = &p.stderr
	var err error
	if p.input, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.answers = bufio.NewReader(stdout)
	return p, cmd.Start()
}

func (p *process) ask(ctx context.Context, ask request) ([]sample.Record, error) {
	line, err := json.Marshal(ask)
	if err != nil {
		return nil, err
	}
	// A library that hangs is ended, so that the others go on.
	stop := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	defer stop()
	if _, err := p.input.Write(append(line, '\n')); err != nil {
		return nil, fmt.Errorf("%w: %s", err, p.stderr.String())
	}
	line, err = p.answers.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no answer: %w: %s", err, p.stderr.String())
	}
	var got answer
	if err := json.Unmarshal(line, &got); err != nil {
		return nil, fmt.Errorf("the answer %.200q: %w", line, err)
	}
	if got.Error != "" {
		return nil, errors.New(got.Error)
	}
	return got.Records, nil
}

func (p *process) write(ctx context.Context, addr, topic, codec string, records []sample.Record) error {
	_, err := p.ask(ctx, request{Addr: addr, Topic: topic, Codec: codec, Records: records})
	return err
}

func (p *process) read(ctx context.Context, addr, topic string, count int) ([]sample.Record, error) {
	return p.ask(ctx, request{Addr: addr, Topic: topic, Count: count})
}

func (p *process) close() error { return errors.Join(p.input.Close(), p.cmd.Wait()) }

//go:embed JavaClient.java
var javaClient []byte

//go:embed python_client.py
var pythonClient []byte

//go:embed node_client.js
var nodeClient []byte

func startJava(ctx context.Context, kafka kafkadist.Dist, dir string) (*process, error) {
	source := filepath.Join(dir, "JavaClient.java")
	if err := os.WriteFile(source, javaClient, 0o644); err != nil {
		return nil, err
	}
	return start(kafka.Java(ctx, "512m", "-Dorg.apache.logging.log4j.level=OFF", "-XX:+UseSerialGC", source))
}

func startPython(ctx context.Context, home, dir string) (*process, error) {
	python, err := languages.Python(ctx, home)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "python_client.py")
	if err := os.WriteFile(source, pythonClient, 0o644); err != nil {
		return nil, err
	}
	return start(exec.CommandContext(ctx, python, source))
}

func startNode(ctx context.Context, home, dir string) (*process, error) {
	env, err := languages.Node(ctx, home)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "node_client.js")
	if err := os.WriteFile(source, nodeClient, 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", source)
	cmd.Env = append(os.Environ(), env...)
	return start(cmd)
}
