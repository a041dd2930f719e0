package remote_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
	"odradek.dev/sdk/remote/remotetest"
)

// launchHostile starts the test partitioner, which misbehaves on demand.
func launchHostile(t *testing.T, noFrames bool, start string) *remote.Process {
	t.Helper()
	command := remotetest.Command(t, testPartitioner(), map[string]any{"wait": "10m"})
	command.NoFrames = noFrames
	command.Env = []string{envStart + "=" + start}
	return remotetest.Launch(t, command)
}

func assign(ctx context.Context, p *remote.Process, topic string) error {
	_, err := p.Instance().(partitioner.Partitioner).Assign(ctx, partitioner.Batch{
		Topic: partitioner.Topic{Name: topic, Partitions: 3}, Keys: keys([]byte("k")),
	})
	return err
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// stop returns when the process has stopped.
func stop(t *testing.T, p *remote.Process) {
	t.Helper()
	require.NoError(t, syscall.Kill(p.PID(), syscall.SIGSTOP))
	var status syscall.WaitStatus
	_, err := syscall.Wait4(p.PID(), &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
}

// bothTransports runs a test over frames and over gRPC.
func bothTransports(t *testing.T, test func(t *testing.T, noFrames bool)) {
	t.Run("frames", func(t *testing.T) { test(t, false) })
	t.Run("grpc", func(t *testing.T) { test(t, true) })
}

func requireEnded(t *testing.T, p *remote.Process, because string) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(time.Minute):
		require.FailNow(t, "the process is still there")
	}
	require.ErrorContains(t, p.Err(), because)
	require.Equal(t, module.Retriable, module.ClassOf(p.Err()))
	require.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH)
	require.ErrorIs(t, assign(t.Context(), p, "t"), remote.ErrClosed)
}

func TestProcessKilledInACall(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		p := launchHostile(t, noFrames, "")
		answered, ctx := make(chan error), within(t, 10*time.Minute)
		go func() { answered <- assign(ctx, p, "until deadline") }()
		require.NoError(t, assign(t.Context(), p, "t"))
		require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
		require.ErrorIs(t, <-answered, remote.ErrClosed)
		requireEnded(t, p, "signal 9")
	})
}

func TestProcessThatEndsInACall(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		p := launchHostile(t, noFrames, "")
		require.ErrorIs(t, assign(t.Context(), p, "exit"), remote.ErrClosed)
		requireEnded(t, p, "exited with status 7")

		p = launchHostile(t, noFrames, "")
		require.ErrorIs(t, assign(t.Context(), p, "last words"), remote.ErrClosed)
		requireEnded(t, p, "exited with status 7; it wrote last: the table is gone")

		p = launchHostile(t, noFrames, "")
		require.ErrorIs(t, assign(t.Context(), p, "panic"), remote.ErrClosed)
		requireEnded(t, p, "panic: the table has no row 9")
	})
}

func TestProcessThatIsStopped(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		p := launchHostile(t, noFrames, "")
		require.NoError(t, assign(t.Context(), p, "t"))
		stop(t, p)

		err := assign(within(t, 50*time.Millisecond), p, "t")
		require.ErrorIs(t, err, remote.ErrDeadline)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, module.Retriable, module.ClassOf(err))
		require.ErrorIs(t, module.Health(within(t, 50*time.Millisecond), p.Instance()), remote.ErrDeadline)

		require.NoError(t, syscall.Kill(p.PID(), syscall.SIGCONT))
		require.NoError(t, assign(t.Context(), p, "t"), "after a late answer")
		stop(t, p)
		require.ErrorIs(t, p.Stop(within(t, 50*time.Millisecond)), remote.ErrDeadline)
		<-p.Done()
	})
}

func TestStoppedProcessDoesNotHoldItsCallers(t *testing.T) {
	p := remotetest.Launch(t, remotetest.Command(t, testCodec(), nil))
	stop(t, p)
	var calls sync.WaitGroup
	large := make([]byte, 4<<20)
	for range 16 {
		calls.Go(func() {
			_, err := p.Instance().(codec.Codec).Compress(within(t, 100*time.Millisecond), nil, large, codec.LevelDefault)
			assert.Equal(t, module.Retriable, module.ClassOf(err))
			assert.Error(t, err)
		})
	}
	calls.Wait()
	require.NoError(t, syscall.Kill(p.PID(), syscall.SIGCONT))
	require.Eventually(t, func() bool {
		out, err := p.Instance().(codec.Codec).Compress(t.Context(), nil, large, codec.LevelDefault)
		return err == nil && string(out) == "r\x004194304"
	}, time.Minute, time.Millisecond)
}

func TestAnswerAfterTheDeadline(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		p := launchHostile(t, noFrames, "")
		require.ErrorIs(t, assign(within(t, 20*time.Millisecond), p, "slow"), remote.ErrDeadline)
		require.ErrorIs(t, assign(within(t, 20*time.Millisecond), p, "until deadline"), context.DeadlineExceeded)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, assign(ctx, p, "slow"), context.Canceled)
		require.NoError(t, assign(t.Context(), p, "t"))
	})
}

func TestProcessThatBreaksTheFrames(t *testing.T) {
	for topic, because := range map[string]string{
		"garbage": "broke the protocol", "oversize": "frame length 2147483647",
	} {
		t.Run(topic, func(t *testing.T) {
			p := launchHostile(t, false, "hostile")
			err := assign(t.Context(), p, topic)
			require.ErrorIs(t, err, remote.ErrProtocol)
			require.Equal(t, module.Retriable, module.ClassOf(err))
			select {
			case <-p.Done():
			case <-time.After(time.Minute):
				require.FailNow(t, "the process is still there")
			}
			require.ErrorContains(t, p.Err(), because)
			require.ErrorIs(t, p.Err(), remote.ErrProtocol)
		})
	}
	t.Run("hang up", func(t *testing.T) {
		p := launchHostile(t, false, "hostile")
		require.ErrorIs(t, assign(t.Context(), p, "hang up"), remote.ErrClosed)
		requireEnded(t, p, "")
	})
}

func TestManyCallsInFlight(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		p := launchHostile(t, noFrames, "")
		var calls sync.WaitGroup
		for n := range 64 {
			calls.Go(func() {
				for round := range 50 {
					length := n*50 + round
					got, err := p.Instance().(partitioner.Partitioner).Assign(t.Context(), partitioner.Batch{
						Topic: partitioner.Topic{Name: "t", Partitions: 1 << 20}, Keys: keys(make([]byte, length)),
					})
					assert.NoError(t, err)
					assert.Equal(t, []int32{int32(length)}, got)
				}
			})
		}
		calls.Wait()
	})
}

func TestRequestOverTheLimit(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		command := remotetest.Command(t, testCodec(), nil)
		command.NoFrames = noFrames
		c := remotetest.Launch(t, command).Instance().(codec.Codec)
		_, err := c.Compress(t.Context(), nil, make([]byte, remote.MaxMessageBytes+1<<20), codec.LevelDefault)
		require.ErrorIs(t, err, remote.ErrTooLarge)
		_, err = c.Compress(t.Context(), nil, []byte("aa"), codec.LevelDefault)
		require.NoError(t, err)
	})
}

func TestCodecThatLiesAboutItsBudget(t *testing.T) {
	bothTransports(t, func(t *testing.T, noFrames bool) {
		command := remotetest.Command(t, testCodec(), map[string]any{"extra": 1})
		command.NoFrames = noFrames
		c := remotetest.Launch(t, command).Instance().(codec.Codec)
		_, err := c.Decompress(t.Context(), nil, []byte("ra10"), 10)
		require.EqualError(t, err, "the codec gave 11 bytes, which is over its budget of 10")
	})
}

func TestFloodOfOutputDoesNotGrowTheHost(t *testing.T) {
	command := remotetest.Command(t, testPartitioner(), nil)
	log := newRecorder()
	command.Log = log.logger("partitioner/length")
	p := remotetest.Launch(t, command)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, assign(within(t, 5*time.Minute), p, "flood"))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
	require.NoError(t, p.Stop(t.Context()))
	require.Less(t, len(log.lines()), 20_000)
	require.True(t, log.has("[WARN]  partitioner/length: the module process writes too much; lines were dropped"))
}

// TestWhatAModuleStartsEndsWithIt kills and stops a module that has a child of
// its own.
func TestWhatAModuleStartsEndsWithIt(t *testing.T) {
	ends := map[string]func(*remote.Process){
		"killed":  func(p *remote.Process) { require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL)) },
		"stopped": func(p *remote.Process) { require.NoError(t, p.Stop(t.Context())) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			tmp := shortTempDir(t)
			t.Setenv("TMPDIR", tmp)
			command := remotetest.Command(t, testPartitioner(), nil)
			command.Env = []string{envStart + "=family"}
			p := remotetest.Launch(t, command)
			content, err := os.ReadFile(filepath.Join(tmp, sleeperFile))
			require.NoError(t, err)
			sleeper, err := strconv.Atoi(string(content))
			require.NoError(t, err)
			end(p)
			<-p.Done()
			require.Eventually(t, func() bool { return gone([]int{sleeper}) }, time.Minute, 5*time.Millisecond)
		})
	}
}
