package endtoend

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/stalls"
)

const faultyConfig = `
modules:
  assignor:
    - use: range
    - use: faulty
      exec: %s
      mood: %s
`

// assignorDeadline is for an assignor that hangs: short, so that the test is, and
// long enough for one that is sound. Others have plenty. What a machine with other
// things to do may take beside that, while it runs, is unhurried.
const (
	assignorDeadline = 2 * time.Second
	plenty           = time.Minute
	unhurried        = 5 * time.Second
)

// TestAFaultyAssignorDelaysARebalanceByItsDeadline has one member of a group,
// to which the assignor gives all, joined by a second while the assignor does
// what it must not: the built-in one then gives each its half. Later it is sound
// again, a third joins, and it decides as before.
func TestAFaultyAssignorDelaysARebalanceByItsDeadline(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "faulty")
	output, err := exec.Command("go", "build", "-o", program, "odradek.dev/tools/endtoend/faultyassignor").CombinedOutput()
	require.NoError(t, err, "%s", output)
	machine := stalls.Start()
	t.Cleanup(machine.End)
	for _, one := range []struct {
		mood, said string
		waits      time.Duration
		dies       bool
	}{
		{mood: "hangs", said: "did not answer within", waits: assignorDeadline},
		{mood: "hangs and is deaf", said: "did not answer within", waits: assignorDeadline},
		{mood: "dies", dies: true},
		{mood: "panics", said: "as it was told", dies: true},
		{mood: "forgets a partition", said: "partition 0 of topic"},
		{mood: "gives all twice", said: "to two members"},
		{mood: "makes a partition up", said: "which has 6"},
		{mood: "forgets a member", said: "answered for 1 members of 2"},
	} {
		t.Run(one.mood, func(t *testing.T) {
			f := startFaulty(t, program, cmp.Or(one.waits, plenty))
			f.is(t, "sound")
			settle(t, f.members[:1], 6)
			require.Zero(t, module(t, f.broker, "faulty").Fallbacks)
			before := running(t, f.broker, "faulty")

			f.is(t, one.mood)
			began := time.Now()
			took := settle(t, f.members[:2], 3, 3)
			t.Logf("settled after %v", took.Round(time.Millisecond))
			require.GreaterOrEqual(t, took, one.waits)
			require.Less(t, took-machine.Between(began, began.Add(took)), one.waits+unhurried)
			require.Contains(t, f.explain(t), "assignor faulty failed, and the built-in one decided in its place")
			awaitLog(t, f.broker, "taking the fallback range")
			awaitLog(t, f.broker, one.said)
			awaitLog(t, f.broker, `the built-in assignor, since "faulty" failed, assigned 1 topics to 2 members`)
			require.Equal(t, int64(1), module(t, f.broker, "faulty").Fallbacks)
			require.Contains(t, f.metrics(t), `odradek_module_fallbacks_total{kind="assignor",name="faulty"} 1`)

			f.is(t, "sound")
			if one.dies {
				awaitReplaced(t, f.broker, "faulty", before)
			}
			settle(t, f.members, 6, 0, 0)
			require.Contains(t, f.explain(t), "assignor faulty of the broker decided")
			require.NotContains(t, f.explain(t), "failed")
			require.Equal(t, int64(1), module(t, f.broker, "faulty").Fallbacks)
		})
	}
}

// faulty is a broker whose only assignor beside the built-in one does what the
// file says, and three members of a group that may join.
type faulty struct {
	broker  *brokerproc.Broker
	file    string
	members []*consumerMember
}

func startFaulty(t *testing.T, program string, deadline time.Duration) *faulty {
	t.Helper()
	dir := t.TempDir()
	f := &faulty{file: filepath.Join(dir, "mood")}
	config := filepath.Join(dir, "broker.yaml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, faultyConfig, program, f.file), 0o600))
	f.broker = startBroker(t, "--config", config, "-X", "group.consumer.assignors=faulty", "-X", "group.consumer.assignment.interval.ms=0",
		"-X", fmt.Sprint("assignor.call.timeout.ms=", deadline.Milliseconds()))
	createTopic(t, f.broker.Addr, "orders", 6)
	client := patient(t, f.broker.Addr)
	for _, id := range []string{"a", "b", "c"} {
		f.members = append(f.members, &consumerMember{client: client, group: "readers", id: id, topic: "orders"})
	}
	return f
}

// is says what the assignor does from now on.
func (f *faulty) is(t *testing.T, mood string) {
	t.Helper()
	next := f.file + ".next"
	require.NoError(t, os.WriteFile(next, []byte(mood), 0o600))
	require.NoError(t, os.Rename(next, f.file))
}

// awaitLog waits for a line that is written when the clients have their answers
// already, as one about a process that ended.
func awaitLog(t *testing.T, b *brokerproc.Broker, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(b.Log(), text) }, time.Minute, 5*time.Millisecond, "the log does not say %s", text)
}

func (f *faulty) explain(t *testing.T) string {
	t.Helper()
	output, err := exec.Command(binary, "group", "explain", "readers", "--admin", f.broker.Admin).CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

func (f *faulty) metrics(t *testing.T) string {
	t.Helper()
	return metricsOf(t, f.broker.Admin)
}

// metricsOf is what a scrape of the broker with that admin listener shows.
func metricsOf(t *testing.T, admin string) string {
	t.Helper()
	response, err := http.Get("http://" + admin + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}
