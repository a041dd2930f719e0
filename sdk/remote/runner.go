package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/childlog"
	"odradek.dev/sdk/remote/internal/spawn"
)

// childRunner lets go-plugin see no more of the process than its handshake.
type childRunner struct {
	child     *spawn.Child
	sink      *childlog.Sink
	socketDir string

	env       []string
	handshake *io.PipeReader

	// output waits for what reads the output of the process.
	output sync.WaitGroup

	mu sync.Mutex
	// ran is true once the process has been started; killed once it is no
	// longer wanted.
	ran, killed bool
}

var _ runner.Runner = (*childRunner)(nil)

// errKilledBefore: the time for the start was over before there was a process.
var errKilledBefore = errors.New("the process was no longer wanted when it was to start")

// prepare is go-plugin's RunnerFunc: cmd has the variables that the child needs.
func (r *childRunner) prepare(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
	r.env = cmd.Env
	return r, nil
}

func (r *childRunner) Start(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.killed {
		return errKilledBefore
	}
	if err := r.child.Start(r.env); err != nil {
		return err
	}
	r.ran = true
	var lines *io.PipeWriter
	r.handshake, lines = io.Pipe()
	r.output.Go(func() { r.readStdout(lines) })
	r.output.Go(func() { r.sink.ReadAll(r.child.Stderr, nil) })
	return nil
}

// readStdout finds the handshake among whatever else the program prints.
func (r *childRunner) readStdout(lines *io.PipeWriter) {
	found := false
	r.sink.ReadAll(r.child.Stdout, func(line []byte) bool {
		if found || !isHandshake(line) {
			return false
		}
		found = true
		// It fails only if go-plugin no longer listens.
		_, _ = lines.Write(append(bytes.Clone(line), '\n'))
		return true
	})
	_ = lines.Close() // never fails
}

// isHandshake recognises go-plugin's line, "1|1|unix|/path|grpc|".
func isHandshake(line []byte) bool {
	fields := strings.Split(string(line), "|")
	if len(fields) < 5 {
		return false
	}
	for _, version := range fields[:2] {
		if _, err := strconv.Atoi(version); err != nil {
			return false
		}
	}
	return true
}

// kill ends the process, or keeps it from starting.
func (r *childRunner) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killed = true
	if r.ran {
		r.child.Kill()
	}
}

// killPause is how long a start that has failed waits for the process to say
// by its exit why, unless the process has answered.
const killPause = time.Second

// isAnswer reports that a start has failed by what the process has said, and not
// by its end.
func isAnswer(err error) bool {
	answer := (*module.Error)(nil)
	return errors.As(err, &answer) && !errors.Is(err, ErrClosed)
}

// pauseAfter is killPause, or none if the error is the answer of a process.
func pauseAfter(err error) time.Duration {
	if isAnswer(err) {
		return 0
	}
	return killPause
}

// killSoon ends the process, if it has not ended by itself after the pause.
func (r *childRunner) killSoon(pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-r.child.Exited():
	case <-timer.C:
		r.kill()
	}
}

// endedByItself reports that it was not this runner that has ended the process:
// it may have come to kill one that was gone. Call it after the end.
func (r *childRunner) endedByItself() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.killed || !r.child.WasKilled()
}

func (r *childRunner) hasRun() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ran
}

func (r *childRunner) Wait(context.Context) error {
	<-r.child.Exited()
	return nil
}

func (r *childRunner) Kill(context.Context) error {
	r.killSoon(killPause)
	return nil
}

func (r *childRunner) Stdout() io.ReadCloser { return r.handshake }

// Stderr is empty: it is read and logged elsewhere.
func (r *childRunner) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

func (r *childRunner) Name() string { return "" }

// ID is empty, which makes go-plugin leave it alone, if it never started.
func (r *childRunner) ID() string {
	if !r.hasRun() {
		return ""
	}
	return strconv.Itoa(r.child.PID())
}

func (r *childRunner) Diagnose(context.Context) string { return "" }

// PluginToHost refuses to dial anything but a socket in the folder that was
// made for it: the address is what a stranger's program has printed.
func (r *childRunner) PluginToHost(network, address string) (string, string, error) {
	if network != "unix" || !strings.HasPrefix(filepath.Clean(address), r.socketDir+string(filepath.Separator)) {
		return "", "", module.Fatalf("the process listens on %s %s, not on a unix socket in the folder of PLUGIN_UNIX_SOCKET_DIR", network, address)
	}
	return network, address, nil
}

func (r *childRunner) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
