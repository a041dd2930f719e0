package supervise

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/remote"
)

// supervised runs a module of this test binary and returns its statuses as they
// come.
func supervised(t *testing.T, factory module.Factory, change func(*Spec)) (*Module, <-chan Status) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	statuses := make(chan Status, 1000)
	d := factory.Descriptor()
	spec := Spec{
		Command: remote.Command{Path: self, Kind: d.Kind, Name: d.Name, StartTimeout: time.Minute},
		Changed: func(s Status) { statuses <- s },
	}
	if change != nil {
		change(&spec)
	}
	m, err := Start(t.Context(), spec)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Stop(context.Background())) })
	require.Equal(t, Running, (<-statuses).State)
	return m, statuses
}

func awaitState(t *testing.T, statuses <-chan Status, state State) Status {
	t.Helper()
	for deadline := time.After(30 * time.Second); ; {
		select {
		case s := <-statuses:
			if s.State == state {
				return s
			}
		case <-deadline:
			require.FailNow(t, "the module did not become "+string(state))
		}
	}
}

func oneKey(topic string) partitioner.Batch {
	var keys record.Blobs
	keys.Append([]byte("k"))
	return partitioner.Batch{Topic: partitioner.Topic{Name: topic, Partitions: 1}, Keys: keys}
}

func TestKilledProcessIsBackAtOnce(t *testing.T) {
	m, statuses := supervised(t, slowPartitioner(), func(s *Spec) {
		s.ProbeTimeout = time.Minute // nothing but the test kills it, however slow the machine is
	})
	before := m.Status()
	require.True(t, before.Framed)
	inFlight := make(chan error)
	go func() {
		_, err := m.Instance().(partitioner.Partitioner).Assign(t.Context(), oneKey("wait"))
		inFlight <- err
	}()
	require.NoError(t, module.Health(t.Context(), m.Instance()))

	killed := time.Now()
	require.NoError(t, syscall.Kill(before.PID, syscall.SIGKILL))
	require.Equal(t, module.Retriable, module.ClassOf(<-inFlight))
	after := awaitState(t, statuses, Running)
	t.Logf("back after %v", time.Since(killed))
	require.NotEqual(t, before.PID, after.PID)
	require.Equal(t, 1, after.Restarts)
	require.ErrorContains(t, after.LastError, "signal 9")
	_, err := m.Instance().(partitioner.Partitioner).Assign(t.Context(), oneKey("t"))
	require.NoError(t, err)
}

func TestStoppedProcessIsReplaced(t *testing.T) {
	m, statuses := supervised(t, plainCodec(), nil)
	before := m.Status()
	require.NoError(t, syscall.Kill(before.PID, syscall.SIGSTOP))
	stopped := time.Now()
	compress := func(timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		_, err := m.Instance().(codec.Codec).Compress(ctx, nil, []byte("x"), codec.LevelDefault)
		return err
	}
	for compress(100*time.Millisecond) == nil { // until the signal has arrived
	}
	after := awaitState(t, statuses, Running)
	t.Logf("back after %v", time.Since(stopped))
	require.ErrorContains(t, after.LastError, "did not answer")
	require.ErrorIs(t, syscall.Kill(before.PID, 0), syscall.ESRCH)
	require.NoError(t, compress(time.Minute))
}

func TestProgramThatIsReplacedIsNotStarted(t *testing.T) {
	program := filepath.Join(t.TempDir(), "module")
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, exec.Command("cp", self, program).Run())
	m, statuses := supervised(t, plainCodec(), func(s *Spec) {
		s.Command.Path = program
		s.Policy = Policy{MinDelay: time.Millisecond, MaxDelay: time.Millisecond, Settled: time.Hour, Deaths: 3, Window: time.Hour, QuarantineDelay: time.Hour}
	})
	require.NoError(t, os.Remove(program))
	require.NoError(t, syscall.Kill(m.Status().PID, syscall.SIGKILL))
	s := awaitState(t, statuses, Quarantined)
	require.ErrorContains(t, s.LastError, program)
	_, err = m.Instance().(codec.Codec).Compress(t.Context(), nil, nil, codec.LevelDefault)
	require.ErrorIs(t, err, ErrDown)
	require.ErrorContains(t, err, "codec/plain is quarantined")
}
