package remote_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/remote/remotetest"
)

// recorder keeps a log's lines.
type recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func newRecorder() *recorder { return &recorder{} }

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

func (r *recorder) logger(name string) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Name: name, Output: r, Level: hclog.Debug, DisableTime: true})
}

func (r *recorder) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Split(strings.TrimSpace(r.buf.String()), "\n")
}

func (r *recorder) has(prefix string) bool {
	for _, line := range r.lines() {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

func TestLinesOfTheModuleKeepTheirLevelAndName(t *testing.T) {
	log := newRecorder()
	command := remotetest.Command(t, testPartitioner(), nil)
	command.Log = log.logger("partitioner/length")
	command.Node, command.Seed = 4, 11
	p := remotetest.Launch(t, command)
	require.NoError(t, assign(t.Context(), p, "log"))
	require.NoError(t, assign(t.Context(), p, "hostile log"))
	require.NoError(t, p.Stop(t.Context()))
	for _, line := range []string{
		"[WARN]  partitioner/length: a line: node=4 seed=11",
		"[DEBUG] partitioner/length.table: a quiet line",
		"[INFO]  partitioner/length: printed",
		`[INFO]  partitioner/length: \x1b[31mred`,
		`[INFO]  partitioner/length: {"@level":"info","@message":5`,
		`[ERROR] partitioner/length: forged\x0aline`,
	} {
		require.True(t, log.has(line), "%s\nis not among\n%s", line, strings.Join(log.lines(), "\n"))
	}
}
