package franz

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
)

// result is how a test, or a part of one, ended, with what it printed.
type result struct{ verdict, output string }

var (
	verdict = regexp.MustCompile(`^ *--- (PASS|FAIL|SKIP): (\S+) `)
	// speaks says whose output follows.
	speaks = regexp.MustCompile(`^=== (?:RUN|CONT|NAME) +(\S+)$`)
)

// run returns the results by the names of the tests. That some failed is not
// an error.
func run(cmd *exec.Cmd) (map[string]result, error) {
	reader, writer := io.Pipe()
	cmd.Stdout, cmd.Stderr = writer, writer
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { writer.CloseWithError(cmd.Wait()) }()
	results, err := parse(reader)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return results, nil
}

// parse reads what a binary of tests prints with -test.v.
func parse(output io.Reader) (map[string]result, error) {
	results, name := map[string]result{}, ""
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		line := lines.Text()
		if match := verdict.FindStringSubmatch(line); match != nil {
			name = match[2]
			one := results[name]
			one.verdict = match[1]
			results[name] = one
		} else if match := speaks.FindStringSubmatch(line); match != nil {
			name = match[1]
		} else if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "panic: ") {
			one := results[name]
			one.output += "\n" + line
			results[name] = one
		}
	}
	return results, lines.Err()
}

// want returns an error if the test did not end as it should.
func want(name string, results map[string]result) error {
	verdict := "PASS"
	if _, skips := skipped[name]; skips {
		verdict = "SKIP"
	}
	if one := results[name]; one.verdict != verdict {
		return fmt.Errorf("franz-go says %q, want %q%s", one.verdict, verdict, one.output)
	}
	return nil
}
