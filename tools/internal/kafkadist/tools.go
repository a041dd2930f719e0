package kafkadist

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
)

//go:embed ToolRunner.java
var toolRunner []byte

// Tools is one JVM in which Kafka's tools run one after another. Not safe for
// concurrent use; several run side by side.
type Tools struct {
	cmd     *exec.Cmd
	input   io.WriteCloser
	answers *bufio.Reader
	stderr  strings.Builder
	closed  bool
}

// Call is one run of a tool.
type Call struct {
	// Class has the main method, as "org.apache.kafka.tools.TopicCommand".
	Class string   `json:"class"`
	Args  []string `json:"args"`
	Stdin string   `json:"stdin"`
}

// Result is what a tool printed and its exit status.
type Result struct {
	Exit   int    `json:"exit"`
	Stdout string `json:"out"`
	Stderr string `json:"err"`
}

// StartTools starts the JVM, which keeps its files in dir and ends with ctx.
// Whatever the tools log is dropped.
func (d Dist) StartTools(ctx context.Context, dir string) (*Tools, error) {
	source := filepath.Join(dir, "ToolRunner.java")
	if err := os.WriteFile(source, toolRunner, 0o644); err != nil {
		return nil, err
	}
	t := &Tools{cmd: d.Java(ctx, "512m", "-Dorg.apache.logging.log4j.level=OFF", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", source)}
	t.cmd.Stderr = &t.stderr
	var err error
	if t.input, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.answers = bufio.NewReader(stdout)
	if err := t.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; on Debian: apt-get install default-jdk-headless", err)
	}
	return t, nil
}

// Run returns when the tool has ended. A tool that does not end holds it up
// until the context of StartTools ends. A failed tool is not an error.
func (t *Tools) Run(call Call) (Result, error) {
	request, err := json.Marshal(call)
	if err != nil {
		return Result{}, err
	}
	if _, err := t.input.Write(append(request, '\n')); err != nil {
		return Result{}, t.died(call, err)
	}
	answer, err := t.answers.ReadBytes('\n')
	if err != nil {
		return Result{}, t.died(call, err)
	}
	var result Result
	if err := json.Unmarshal(answer, &result); err != nil {
		return Result{}, fmt.Errorf("%s: the answer of the JVM %q: %w", call.Class, answer, err)
	}
	return result, nil
}

func (t *Tools) died(call Call, err error) error {
	return errors.Join(fmt.Errorf("running %s: the JVM is gone: %w", call.Class, err), t.Close(), errors.New(t.stderr.String()))
}

// Close ends the JVM and waits for it.
func (t *Tools) Close() error {
	if t.closed {
		return nil
	}
	t.closed = true
	return errors.Join(t.input.Close(), t.cmd.Wait())
}

// RunAlone runs a tool in a JVM of its own.
func (d Dist) RunAlone(ctx context.Context, call Call) (Result, error) {
	command := d.Java(ctx, "256m", append([]string{"-Dorg.apache.logging.log4j.level=OFF", call.Class}, call.Args...)...)
	var stdout, stderr strings.Builder
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(call.Stdin), &stdout, &stderr
	err := command.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return Result{}, err
	}
	return Result{Exit: command.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}, ctx.Err()
}
