// Package franz builds franz-go's own integration tests from the module cache
// and runs those that need neither transactions nor what else is left out by
// name.
package franz

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
)

const source = "github.com/twmb/franz-go/pkg/kgo"

// records is how many the tests move that move many.
const records = "50000"

// Run starts a broker and runs the tests at once, in one process, as franz-go
// does; then each, and each part of one, is a scenario. A test that skips
// itself has failed, unless it is expected to.
func Run(ctx context.Context, t *scenario.Tally, odradek, dir string) (err error) {
	broker, err := brokerproc.New(odradek, dir, "-X", "auto.create.topics.enable=false")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, broker.Kill()) }()
	if err := broker.Start(ctx); err != nil {
		return err
	}
	binary := filepath.Join(dir, "kgo.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, source).CombinedOutput(); err != nil {
		return fmt.Errorf("building franz-go's tests: %w\n%s", err, out)
	}
	if err := sayLeftOut(ctx, t, binary); err != nil {
		return err
	}
	folder, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", source).Output()
	if err != nil {
		return err
	}
	tests := slices.Concat(recordTests, groupTests)
	cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.timeout", "10m", "-test.run", "^("+strings.Join(whole(t, tests), "|")+")$")
	cmd.Dir = strings.TrimSpace(string(folder))
	cmd.Env = append(os.Environ(), "KGO_SEEDS="+broker.Addr, "KGO_TEST_RF=1", "KGO_TEST_RECORDS="+records, "KGO_LOG_LEVEL=none")
	results, err := run(cmd)
	if err != nil {
		return err
	}
	var all []scenario.Scenario
	for _, name := range tests {
		all = append(all, scenario.Scenario{Name: name, Run: func(context.Context) error { return want(name, results) }})
	}
	t.Run(ctx, "franz-go", all)
	return nil
}

// whole has, of the tests that are asked for, those that are not a part of
// another.
func whole(t *scenario.Tally, tests []string) []string {
	var names []string
	for _, name := range tests {
		top, _, _ := strings.Cut(name, "/")
		if t.Only.MatchString("franz-go: "+name) && !slices.Contains(names, top) {
			names = append(names, top)
		}
	}
	return names
}

// sayLeftOut prints what is left out and why. A name that franz-go does not
// know is an error, so that the list stays true.
func sayLeftOut(ctx context.Context, t *scenario.Tally, binary string) error {
	known, err := exec.CommandContext(ctx, binary, "-test.list", ".").Output()
	if err != nil {
		return err
	}
	for _, one := range leftOut {
		if !slices.Contains(strings.Fields(string(known)), one.name) {
			return fmt.Errorf("franz-go has no test %s", one.name)
		}
		fmt.Fprintf(t.Out, "out  franz-go: %s: needs %s\n", one.name, one.needs)
	}
	return nil
}
