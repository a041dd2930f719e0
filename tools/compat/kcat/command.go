package kcat

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// kcat runs Debian's kcat against one broker.
type kcat struct{ path, bootstrap string }

func (k kcat) command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, k.path, append([]string{"-b", k.bootstrap}, args...)...)
}

// run gives kcat the input and returns what it printed.
func (k kcat) run(ctx context.Context, input string, args ...string) (string, error) {
	command := k.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("kcat %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

func (k kcat) produce(ctx context.Context, topic, input string, args ...string) error {
	_, err := k.run(ctx, input, append([]string{"-P", "-t", topic}, args...)...)
	return err
}

// consume reads partition 0 until its end, unless the arguments say when to
// stop.
func (k kcat) consume(ctx context.Context, topic string, args ...string) (string, error) {
	return k.run(ctx, "", append([]string{"-C", "-q", "-e", "-t", topic, "-p", "0"}, args...)...)
}

// waitLine returns once a line of the output has the text in it.
func waitLine(output io.Reader, text string) error {
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return nil
		}
	}
	return fmt.Errorf("kcat never wrote %q: %w", text, lines.Err())
}
