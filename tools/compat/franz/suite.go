// Package franz builds franz-go's own integration tests from the module cache
// and runs those that need no group and no transaction.
package franz

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
)

// tests are those of package kgo that talk to a broker about topics, records
// and versions alone. The others that talk to a broker need coordinators and
// groups (TestIssue1034 and TestConsumeRegex among them, for whose internal
// topic a coordinator is asked), share groups, transactions, SASL or OAuth.
var tests = []string{
	"TestPing", "TestIssue325", "TestConsumeTopicRetrieval", "TestConsumeTopicRetrieval_Many", "TestIssue337", "TestDirectPartitionPurge",
	"TestIssue434", "TestAddRemovePartitions", "TestPauseIssue489", "TestPauseIssueOct2023", "TestIssue648", "TestIssue810",
	"TestIssue865", "TestIssueFetchLargerThanBrokerMaxReadBytes", "TestPooling", "TestHookPollStart", "TestConsumeMaxDecompressBatchBytes",
	"TestClient_Produce", "TestIssue769", "TestIssueProduceBrokerTooOldFailsRecords", "TestIssueProduceSyncManualPartitionNegativeDoesNotPanic",
	"TestIssue831", "TestClient_ProduceLargeMessages",
}

// skipped are the tests that skip themselves, as they do with Apache Kafka
// 4.4.0, and why.
var skipped = map[string]string{
	"TestIssueProduceBrokerTooOldFailsRecords": "both say that they take Produce from version 0 on (KIP-896)",
}

// records is how many the tests move that move many.
const records = "50000"

// Run starts a broker and runs the tests at once, in one process, as franz-go
// does; then each is a scenario. A test that skips itself has failed, unless it
// is expected to.
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
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "github.com/twmb/franz-go/pkg/kgo").CombinedOutput(); err != nil {
		return fmt.Errorf("building franz-go's tests: %w\n%s", err, out)
	}
	folder, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", "github.com/twmb/franz-go/pkg/kgo").Output()
	if err != nil {
		return err
	}
	var wanted []string
	for _, name := range tests {
		if t.Only.MatchString("franz-go: " + name) {
			wanted = append(wanted, name)
		}
	}
	cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.timeout", "4m", "-test.run", "^("+strings.Join(wanted, "|")+")$")
	cmd.Dir = strings.TrimSpace(string(folder))
	cmd.Env = append(os.Environ(), "KGO_SEEDS="+broker.Addr, "KGO_TEST_RF=1", "KGO_TEST_RECORDS="+records, "KGO_LOG_LEVEL=none")
	results, err := run(cmd)
	if err != nil {
		return err
	}
	t.Run(ctx, "franz-go", scenarios(results))
	return nil
}

// result is how a test ended, with what it printed last.
type result struct{ verdict, output string }

var verdict = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (\S+) `)

func run(cmd *exec.Cmd) (map[string]result, error) {
	reader, writer := io.Pipe()
	cmd.Stdout, cmd.Stderr = writer, writer
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { writer.CloseWithError(cmd.Wait()) }()
	results, name := map[string]result{}, ""
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		if match := verdict.FindStringSubmatch(lines.Text()); match != nil {
			name = match[2]
			results[name] = result{verdict: match[1]}
		} else if one, found := results[name]; found && strings.HasPrefix(lines.Text(), "    ") {
			one.output += "\n" + lines.Text()
			results[name] = one
		}
	}
	var failed *exec.ExitError
	if err := lines.Err(); err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return results, nil
}

func scenarios(results map[string]result) []scenario.Scenario {
	var all []scenario.Scenario
	for _, name := range tests {
		all = append(all, scenario.Scenario{Name: name, Run: func(context.Context) error {
			want := "PASS"
			if _, skips := skipped[name]; skips {
				want = "SKIP"
			}
			if one := results[name]; one.verdict != want {
				return fmt.Errorf("franz-go says %q, want %q%s", one.verdict, want, one.output)
			}
			return nil
		}})
	}
	return all
}
