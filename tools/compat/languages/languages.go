// Package languages fetches the client libraries of other languages, once for
// all suites that use them.
package languages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const confluentKafka = "confluent-kafka==2.16.1"

// Python makes a virtual environment with librdkafka in home, unless it is
// there, and returns its interpreter.
func Python(ctx context.Context, home string) (string, error) {
	python := filepath.Join(home, "bin", "python")
	return python, once(home, func() error {
		return run(exec.CommandContext(ctx, "python3", "-m", "venv", home), exec.CommandContext(ctx, python, "-m", "pip", "install", "-q", confluentKafka))
	})
}

var nodePackages = []string{"kafkajs@2.2.4", "kafkajs-snappy@1.1.0"}

// Node installs KafkaJS in home, unless it is there, and returns what a program
// that uses it needs in its environment.
func Node(ctx context.Context, home string) (env []string, err error) {
	install := append([]string{"install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", home}, nodePackages...)
	env = []string{"NODE_PATH=" + filepath.Join(home, "node_modules"), "KAFKAJS_NO_PARTITIONER_WARNING=1"}
	return env, once(home, func() error { return run(exec.CommandContext(ctx, "npm", install...)) })
}

// once fills a folder unless an earlier run did, and leaves a mark that it is
// whole.
func once(home string, fill func() error) error {
	mark := filepath.Join(home, "whole")
	if _, err := os.Stat(mark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := errors.Join(os.RemoveAll(home), os.MkdirAll(home, 0o755)); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o644)
}

func run(commands ...*exec.Cmd) error {
	for _, command := range commands {
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, out)
		}
	}
	return nil
}
