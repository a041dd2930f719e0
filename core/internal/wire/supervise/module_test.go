package supervise

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// scene runs a module in a bubble where time passes only when all wait.
type scene struct {
	*testing.T
	module  *Module
	began   time.Time
	changes []string
	// cast is what the launches give, a *fakeProcess or an error; the last is
	// given again and again.
	cast     []any
	launched int
	// clock is the module's, nil for one that is never late.
	clock clock.Clock
}

// perform plays a scene in a bubble, where time passes only when all wait.
func perform(t *testing.T, act func(s *scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, began: time.Now()}
		// Also when the act fails: a bubble that is left with its goroutines
		// ends the whole test program.
		defer func() {
			require.NoError(t, s.module.Stop(s.Context()))
			require.Equal(t, Stopped, s.module.Status().State)
		}()
		act(s)
	})
}

func (s *scene) start(cast ...any) {
	s.cast = cast
	var err error
	s.module, err = Start(s.Context(), Spec{launch: s.launch, Clock: s.clock, Changed: func(st Status) {
		s.changes = append(s.changes, fmt.Sprintf("%v %s pid %d restarts %d", time.Since(s.began), st.State, st.PID, st.Restarts))
	}})
	require.NoError(s, err)
}

func (s *scene) launch(context.Context, remote.Command) (process, error) {
	role := s.cast[min(s.launched, len(s.cast)-1)]
	s.launched++
	if err, failed := role.(error); failed {
		return nil, err
	}
	return role.(*fakeProcess), nil
}

// pass lets time go by and all that is due then happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *scene) assign(ctx context.Context) ([]int32, error) {
	return s.module.Instance().(partitioner.Partitioner).Assign(ctx, partitioner.Batch{})
}

func TestFirstDeathCostsNothing(t *testing.T) {
	perform(t, func(s *scene) {
		first, second := newFake(1, answers(1)), newFake(2, answers(2))
		s.start(first, second)
		first.end(errors.New("out of memory"))
		pass(time.Nanosecond)
		got, err := s.assign(s.Context())
		require.NoError(s, err)
		require.Equal(s, []int32{2}, got)
		require.Equal(s, []string{
			"0s running pid 1 restarts 0", "0s restarting pid 0 restarts 0",
			"0s restarting pid 0 restarts 1", "0s running pid 2 restarts 1",
		}, s.changes)
		require.EqualError(s, s.module.Status().LastError, "out of memory")
		require.NoError(s, s.module.Stop(s.Context()))
		require.True(s, second.stopped.Load())
	})
}

func TestProcessThatDoesNotStartAgainIsQuarantined(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, answers(1))
		s.start(first, errors.New("no such file"))
		first.end(nil)
		pass(100 * time.Millisecond)
		_, err := s.assign(s.Context())
		require.ErrorIs(s, err, ErrDown)
		require.Equal(s, module.Retriable, module.ClassOf(err))
		require.ErrorContains(s, err, "partitioner/fake is restarting (last error: no such file)")
		pass(time.Minute)
		require.Equal(s, Quarantined, s.module.Status().State)
		require.WithinRange(s, s.module.Status().Retry, time.Now().Add(90*time.Second), time.Now().Add(5*time.Minute))
		require.Equal(s, 9, s.module.Status().Restarts)
		pass(5 * time.Minute)
		// The delay of five minutes is cut by up to a half.
		require.Contains(s, []int{10, 11}, s.module.Status().Restarts)
	})
}

func TestQuarantineEndsWhenTheProgramIsMended(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, answers(1))
		cast := []any{first}
		for range 9 {
			cast = append(cast, errors.New("no such file"))
		}
		s.start(append(cast, newFake(2, answers(2)))...)
		first.end(nil)
		pass(time.Minute)
		require.Equal(s, Quarantined, s.module.Status().State)
		pass(5 * time.Minute)
		require.Equal(s, Running, s.module.Status().State)
		require.Zero(s, s.module.Status().Retry)
		got, err := s.assign(s.Context())
		require.NoError(s, err)
		require.Equal(s, []int32{2}, got)
	})
}

func TestHangIsFoundByACallThatMissesItsDeadline(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, fakePartitioner{func(ctx context.Context) ([]int32, error) {
			<-ctx.Done()
			return nil, remote.ErrDeadline
		}})
		first.health = hangs
		s.start(first, newFake(2, answers(2)))
		ctx, cancel := context.WithTimeout(s.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := s.assign(ctx)
		require.ErrorIs(s, err, remote.ErrDeadline)
		pass(501 * time.Millisecond)
		require.True(s, first.killed.Load())
		got, err := s.assign(s.Context())
		require.NoError(s, err)
		require.Equal(s, []int32{2}, got)
		require.ErrorContains(s, s.module.Status().LastError, "did not answer for 500ms")
		require.Equal(s, "700ms running pid 2 restarts 1", s.changes[len(s.changes)-1])
	})
}

// The successor of a process that hung has had no time to do so itself.
func TestASuccessorIsNotSuspectedOfWhatWasBeforeIt(t *testing.T) {
	perform(t, func(s *scene) {
		first, second := newFake(1, fakePartitioner{func(ctx context.Context) ([]int32, error) {
			<-ctx.Done()
			return nil, remote.ErrDeadline
		}}), newFake(2, answers(2))
		var asked atomic.Bool
		first.health = hangs
		second.health = func(context.Context) error { asked.Store(true); return nil }
		s.start(first, second)
		for _, timeout := range []time.Duration{200 * time.Millisecond, 300 * time.Millisecond, 5 * time.Second} {
			ctx, cancel := context.WithTimeout(s.Context(), timeout)
			defer cancel()
			go func() { _, _ = s.assign(ctx) }()
		}
		pass(time.Second)
		require.Equal(s, "700ms running pid 2 restarts 1", s.changes[len(s.changes)-1])
		require.False(s, asked.Load())
		pass(4 * time.Second) // the last of them is over
		require.False(s, asked.Load())
		pass(time.Second)
		require.True(s, asked.Load())
	})
}

// A machine that stalls may show at once that nobody answers and why.
func TestAProcessThatEndedByItselfWasNotKilled(t *testing.T) {
	for _, answer := range []error{remote.ErrDeadline, context.Canceled, remote.ErrClosed} {
		for range 20 { // each time, not by luck
			perform(t, func(s *scene) {
				first := newFake(1, answers(1))
				first.health = func(ctx context.Context) error {
					<-ctx.Done()
					first.end(errors.New("out of memory"))
					return answer
				}
				s.start(first, newFake(2, answers(2)))
				pass(8 * time.Second)
				require.EqualError(s, s.module.Status().LastError, "out of memory")
				require.Equal(s, 2, s.module.Status().PID)
			})
		}
	}
}

func TestHangIsFoundWithoutACall(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, answers(1))
		first.health = hangs
		s.start(first, newFake(2, answers(2)))
		pass(8 * time.Second)
		require.Equal(s, "7s running pid 2 restarts 1", s.changes[len(s.changes)-1])
	})
}

// lostWith is a codec whose calls fail as those of a process that ends.
func lostWith(p **fakeProcess, err error) fakeCodec {
	return fakeCodec{call: func(context.Context) error {
		(*p).end(errors.New("killed"))
		return err
	}}
}

func decompress(s *scene, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(s.Context(), timeout)
	defer cancel()
	_, err := s.module.Instance().(codec.Codec).Decompress(ctx, nil, []byte("x"), 1)
	return err
}

func TestCodecCallOutlastsItsProcess(t *testing.T) {
	perform(t, func(s *scene) {
		var first *fakeProcess
		first = newFake(1, lostWith(&first, remote.ErrClosed))
		s.start(first, errors.New("no memory"), errors.New("no memory"), newFake(2, fakeCodec{}))
		require.NoError(s, decompress(s, 5*time.Second))
		synctest.Wait()
		require.Equal(s, 2, s.module.Status().PID)
	})
}

func TestCodecCallIsMadeTwiceAtMost(t *testing.T) {
	perform(t, func(s *scene) {
		var first, second *fakeProcess
		first = newFake(1, lostWith(&first, remote.ErrProtocol))
		second = newFake(2, lostWith(&second, remote.ErrProtocol))
		s.start(first, second, newFake(3, fakeCodec{}))
		require.ErrorIs(s, decompress(s, time.Minute), remote.ErrProtocol)
		pass(time.Second)
		require.Equal(s, 3, s.module.Status().PID)
		require.NoError(s, decompress(s, time.Minute))
	})
}

func TestCodecCallWaitsNoLongerThanItMay(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, fakeCodec{})
		s.start(first, errors.New("no such file"))
		first.end(nil)
		pass(time.Nanosecond)
		began := time.Now()
		err := decompress(s, 2*time.Second)
		require.ErrorIs(s, err, ErrDown)
		require.ErrorContains(s, err, "no such file")
		require.Equal(s, 2*time.Second, time.Since(began))
		pass(time.Minute)
		require.Equal(s, Quarantined, s.module.Status().State)
		require.ErrorContains(s, decompress(s, time.Hour), "is quarantined")
		require.Equal(s, time.Minute+2*time.Second, time.Since(began), "nobody waits for a module in quarantine")
	})
}

func TestCallThatLosesItsProcessSaysHowThatEnded(t *testing.T) {
	for name, one := range map[string]struct {
		lives time.Duration
		says  string
		after time.Duration
	}{
		"ends soon": {3 * time.Millisecond, "has ended: it panicked", 3 * time.Millisecond},
		"stays":     {time.Minute, "has ended", parting},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(s *scene) {
				first := newFake(1, fakePartitioner{func(context.Context) ([]int32, error) { return nil, remote.ErrClosed }})
				s.start(first, newFake(2, answers(2)))
				time.AfterFunc(one.lives, func() { first.end(errors.New("it panicked")) })
				began := time.Now()
				_, err := s.assign(s.Context())
				require.ErrorIs(s, err, remote.ErrClosed)
				require.True(s, strings.HasSuffix(err.Error(), one.says), err.Error())
				require.Equal(s, one.after, time.Since(began))
			})
		})
	}
}

func TestAnEndThatIsThereIsToldThoughTheTimeIsUp(t *testing.T) {
	perform(t, func(s *scene) {
		s.start(newFake(1, answers(1)))
		over, cancel := context.WithCancel(s.Context())
		cancel()
		last := newFake(2, answers(2))
		last.end(errors.New("it panicked"))
		for range 100 { // each time, not by luck
			err := s.module.howItEnded(over, &incarnation{process: last}, remote.ErrClosed)
			require.ErrorContains(s, err, "has ended: it panicked")
		}
	})
}

func TestHangIsFoundDuringACallThatMayTakeLong(t *testing.T) {
	perform(t, func(s *scene) {
		var first *fakeProcess
		first = newFake(1, fakeCodec{call: func(context.Context) error {
			<-first.Done()
			return remote.ErrClosed
		}})
		first.health = hangs
		s.start(first, newFake(2, fakeCodec{}))
		require.NoError(s, decompress(s, 5*time.Second))
		synctest.Wait()
		require.Equal(s, "1s running pid 2 restarts 1", s.changes[len(s.changes)-1])
	})
}

func TestProcessThatAnswersNoCallIsKilled(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, fakePartitioner{func(context.Context) ([]int32, error) { return nil, remote.ErrDeadline }})
		s.start(first, newFake(2, answers(2)))
		for range 2 * maxMissed { // a burst is no reason
			_, err := s.assign(s.Context())
			require.ErrorIs(s, err, remote.ErrDeadline)
		}
		pass(6 * time.Second)
		require.False(s, first.killed.Load())
		_, err := s.assign(s.Context())
		require.ErrorIs(s, err, remote.ErrDeadline)
		pass(time.Nanosecond)
		require.ErrorContains(s, s.module.Status().LastError, "missed the deadlines of its last 21 calls")
		require.Equal(s, 2, s.module.Status().PID)
	})
}

func TestSlowCallIsNoReasonToKill(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, fakePartitioner{func(context.Context) ([]int32, error) { return nil, remote.ErrDeadline }})
		s.start(first)
		_, err := s.assign(s.Context())
		require.ErrorIs(s, err, remote.ErrDeadline)
		pass(20 * time.Second)
		require.False(s, first.killed.Load())
		require.Equal(s, 0, s.module.Status().Restarts)
	})
}

func TestUnwellModuleIsShownAndNotKilled(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, answers(1))
		var loaded atomic.Bool
		first.health = func(context.Context) error {
			if loaded.Load() {
				return nil
			}
			return errors.New("the table is not loaded")
		}
		s.start(first)
		pass(20 * time.Second)
		require.EqualError(s, s.module.Status().Unwell, "the table is not loaded")
		require.Len(s, s.changes, 2)
		loaded.Store(true)
		pass(6 * time.Second)
		require.NoError(s, s.module.Status().Unwell)
		require.False(s, first.killed.Load())
	})
}

func TestLateAnswerOfAnOldProcessIsRefused(t *testing.T) {
	perform(t, func(s *scene) {
		release := make(chan struct{})
		first := newFake(1, fakePartitioner{func(context.Context) ([]int32, error) {
			<-release
			return []int32{1}, nil
		}})
		s.start(first, newFake(2, answers(2)))
		late := make(chan error)
		go func() {
			_, err := s.assign(s.Context())
			late <- err
		}()
		synctest.Wait()
		first.end(errors.New("killed"))
		pass(time.Nanosecond)
		require.Equal(s, Running, s.module.Status().State)
		close(release)
		err := <-late
		require.ErrorIs(s, err, ErrDown)
		require.ErrorContains(s, err, "pid 1")
	})
}

// The last of the calls that a process misses has it replaced.
func TestACallThatIsLateSaysSoThoughItsProcessWasReplaced(t *testing.T) {
	perform(t, func(s *scene) {
		var first *fakeProcess
		first = newFake(1, fakePartitioner{func(context.Context) ([]int32, error) {
			first.end(errors.New("killed"))
			synctest.Wait() // until there is another
			return nil, remote.ErrDeadline
		}})
		s.start(first, newFake(2, answers(2)))
		_, err := s.assign(s.Context())
		require.ErrorIs(s, err, remote.ErrDeadline)
		require.Equal(s, 2, s.module.Status().PID)
	})
}

func TestCodecMayNotBecomeAnother(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, fakeCodec{info: codec.Info{Attribute: 2}})
		other := newFake(2, fakeCodec{info: codec.Info{Attribute: 3}})
		same := newFake(3, fakeCodec{info: codec.Info{Attribute: 2}})
		s.start(first, other, same)
		c := s.module.Instance().(codec.Codec)
		first.end(nil)
		pass(time.Second)
		require.True(s, other.killed.Load())
		require.True(s, strings.HasSuffix(s.changes[len(s.changes)-1], "running pid 3 restarts 2"))
		require.Equal(s, int8(2), c.Info().Attribute)
		out, err := c.Compress(s.Context(), nil, []byte("x"), codec.LevelDefault)
		require.NoError(s, err)
		require.Equal(s, "x", string(out))
	})
}

func TestStopDuringADelay(t *testing.T) {
	perform(t, func(s *scene) {
		first := newFake(1, answers(1))
		s.start(first, errors.New("no such file"))
		first.end(nil)
		pass(10 * time.Second)
	})
}

func TestFailureOfTheFirstStartIsReturned(t *testing.T) {
	_, err := Start(t.Context(), Spec{launch: func(context.Context, remote.Command) (process, error) {
		return nil, module.Invalidf("required is \"some\"")
	}})
	require.EqualError(t, err, `required is "some"`)
}
