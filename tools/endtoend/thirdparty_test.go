package endtoend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/procstat"
)

// thirdPartyConfig chooses both examples by the path of their programs. That an
// assignor decides is not to hang on how busy the machine is.
const thirdPartyConfig = `
assignor.call.timeout.ms: 60000
modules:
  partitioner:
    - use: sticky
    - use: region
      exec: %s
      regions:
        eu: [0, 1, 2]
        us: [3, 4, 5]
  assignor:
    - use: range
    - use: weighted
      exec: %s
`

type moduleStatus struct {
	Kind, Name, State          string
	PID                        int
	Restarts, Calls, Fallbacks int64
}

// thirdPartyBroker is a broker with the two modules of examples/, built as an
// outsider would build them. sockets is the only folder for temporary files
// that the broker and its modules know of.
func thirdPartyBroker(t *testing.T) (b *brokerproc.Broker, sockets string) {
	t.Helper()
	dir, sockets := t.TempDir(), t.TempDir()
	config := filepath.Join(dir, "broker.yaml")
	text := fmt.Sprintf(thirdPartyConfig, buildExample(t, dir, "partitioner-region"), buildExample(t, dir, "assignor-weighted"))
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	b, err := brokerproc.New(binary, dir, "--config", config)
	require.NoError(t, err)
	b.Env = []string{"TMPDIR=" + sockets}
	require.NoError(t, b.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, b.Stop()) })
	return b, sockets
}

func buildExample(t *testing.T, dir, name string) string {
	t.Helper()
	out := filepath.Join(dir, name)
	build := exec.Command("go", "build", "-o", out, ".")
	build.Dir = filepath.Join("..", "..", "examples", name)
	build.Env = append(os.Environ(), "GOWORK=off")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return out
}

// TestThirdPartyPartitionerIsKilledWhileRecordsFlow kills the partitioner's
// process again and again under a producer: no record fails, and each time the
// module is back within a second.
func TestThirdPartyPartitionerIsKilledWhileRecordsFlow(t *testing.T) {
	const records = 60000
	b, _ := thirdPartyBroker(t)
	createTopic(t, b.Addr, "orders", 6)

	produce := exec.Command(binary, "produce", "orders", "--bootstrap", b.Addr, "--admin", b.Admin, "--partitioner", "region", "--key-separator", ":")
	input, err := produce.StdinPipe()
	require.NoError(t, err)
	var output bytes.Buffer
	produce.Stdout, produce.Stderr = &output, &output
	require.NoError(t, produce.Start())

	const kills = 5
	for n := range records {
		_, err := fmt.Fprintf(input, "eu|%d:%d\n", n, n)
		require.NoError(t, err)
		if n%(records/kills) == records/kills/2 {
			killed := running(t, b, "region")
			require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
			awaitReplaced(t, b, "region", killed)
		}
	}
	require.NoError(t, input.Close())
	require.NoError(t, produce.Wait(), "%s", output.String())

	seen := map[string]bool{}
	for partition := range int32(6) {
		for _, value := range consumeAll(t, b.Addr, "orders", partition) {
			require.False(t, seen[value], "record %s is there twice", value)
			seen[value] = true
		}
	}
	require.Len(t, seen, records)
	status := module(t, b, "region")
	require.Positive(t, status.Calls)
	require.GreaterOrEqual(t, status.Restarts, int64(kills))
}

// running waits until the module has a process, and returns its number: without
// one that is 0, which a signal takes for everybody.
func running(t *testing.T, b *brokerproc.Broker, name string) (pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		status := module(t, b, name)
		pid = status.PID
		return status.State == "running"
	}, time.Minute, 5*time.Millisecond)
	require.Positive(t, pid)
	return pid
}

// awaitReplaced waits for another process of the module; a second is what the
// design allows for it.
func awaitReplaced(t *testing.T, b *brokerproc.Broker, name string, old int) {
	t.Helper()
	began := time.Now()
	require.Eventually(t, func() bool {
		status := module(t, b, name)
		return status.State == "running" && status.PID != old
	}, time.Minute, 5*time.Millisecond)
	t.Logf("module %s is back after %v", name, time.Since(began).Round(time.Millisecond))
}

func TestThirdPartyAssignorDecides(t *testing.T) {
	b, _ := thirdPartyBroker(t)
	output, err := explainWeighted(b).CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Equal(t, int64(1), module(t, b, "weighted").Calls)
	require.Zero(t, module(t, b, "weighted").Fallbacks)

	killed := running(t, b, "weighted")
	require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
	output, err = explainWeighted(b).CombinedOutput()
	require.NoError(t, err, "an assignment while the module is away: %s", output)
	awaitReplaced(t, b, "weighted", killed)
}

func explainWeighted(b *brokerproc.Broker) *exec.Cmd {
	return exec.Command(binary, "assign", "explain", "--admin", b.Admin, "--assignor", "weighted",
		"--topic", "orders=6", "--member", "a", "--member", "b")
}

// TestModulesDieWithTheirHost kills the broker with SIGKILL: soon no process of
// a module is left, and no socket. The design allows a second for it; how long
// it took is printed and not judged, since machines stall.
func TestModulesDieWithTheirHost(t *testing.T) {
	b, sockets := thirdPartyBroker(t)
	pids := []int{running(t, b, "region"), running(t, b, "weighted")}
	require.False(t, slices.ContainsFunc(pids, procstat.Gone))
	require.NoError(t, b.Kill())
	began := time.Now()
	require.Eventually(t, func() bool {
		return !slices.ContainsFunc(pids, alive) && len(socketsIn(t, sockets)) == 0
	}, time.Minute, 5*time.Millisecond)
	t.Logf("processes and sockets are gone after %v", time.Since(began).Round(time.Millisecond))
}

func alive(pid int) bool { return !procstat.Gone(pid) }

func socketsIn(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type()&fs.ModeSocket != 0 {
			found = append(found, path)
		}
		return nil
	})
	return found
}

func module(t *testing.T, b *brokerproc.Broker, name string) moduleStatus {
	t.Helper()
	response, err := http.Get("http://" + b.Admin + "/v1/modules")
	require.NoError(t, err)
	defer response.Body.Close()
	var answer struct{ Modules []moduleStatus }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	var names []string
	for _, m := range answer.Modules {
		if m.Name == name {
			return m
		}
		names = append(names, m.Kind+"/"+m.Name)
	}
	require.FailNow(t, "the broker has no such module", "%s; it has %s", name, strings.Join(names, ", "))
	return moduleStatus{}
}
