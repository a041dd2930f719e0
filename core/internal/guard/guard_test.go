package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

type partitionerFunc func(context.Context, partitioner.Batch) ([]int32, error)

func (f partitionerFunc) Assign(ctx context.Context, b partitioner.Batch) ([]int32, error) {
	return f(ctx, b)
}

type assignorFunc func(context.Context, assignor.Snapshot) (assignor.Assignment, error)

func (f assignorFunc) Assign(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
	return f(ctx, s)
}

type codecFunc func(dst, src []byte, budget int) ([]byte, error)

func (codecFunc) Info() codec.Info { return codec.Info{Attribute: 4} }
func (codecFunc) Compress(context.Context, []byte, []byte, int) ([]byte, error) {
	return nil, errors.New("not used")
}
func (f codecFunc) Decompress(_ context.Context, dst, src []byte, budget int) ([]byte, error) {
	return f(dst, src, budget)
}

func always(partitions ...int32) partitionerFunc {
	return func(context.Context, partitioner.Batch) ([]int32, error) { return partitions, nil }
}

func options(fallback partitioner.Partitioner) Options {
	return Options{
		Log: hclog.NewNullLogger(), Clock: clock.Real(), PartitionerTimeout: time.Minute,
		AssignorTimeout: time.Minute, CodecTimeout: time.Minute, MaxDecompressed: 100, FallbackPartitioner: fallback,
	}
}

func set(t *testing.T, kind module.Kind, instance any, o Options) *Set {
	t.Helper()
	s, err := New([]Module{{Descriptor: module.Descriptor{Kind: kind, Name: "it", Version: "1"}, Binding: "in-process", Instance: instance}}, o)
	require.NoError(t, err)
	return s
}

func batchOf(keys ...string) partitioner.Batch {
	b := partitioner.Batch{Topic: partitioner.Topic{Name: "t", Partitions: 3}}
	for _, k := range keys {
		b.Keys.Append([]byte(k))
		b.Sizes = append(b.Sizes, 1)
	}
	return b
}

func TestPartitionerFallsBackWhateverGoesWrong(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, bad := range map[string]partitionerFunc{
		"outside the topic": always(0, 3),
		"negative":          always(0, -1),
		"too few":           always(0),
		"error":             func(context.Context, partitioner.Batch) ([]int32, error) { return nil, errors.New("no") },
		"panic":             func(context.Context, partitioner.Batch) ([]int32, error) { panic("no") },
		"deadline that it heeds": func(ctx context.Context, _ partitioner.Batch) ([]int32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"deadline that it does not heed": func(context.Context, partitioner.Batch) ([]int32, error) {
			<-release
			return []int32{0, 0}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, module.Partitioner, bad, options(always(1, 2)))
			p, ok := s.Partitioner("it")
			require.True(t, ok)
			if strings.HasPrefix(name, "deadline") {
				p.limiter.timeout = time.Millisecond
			}
			answer, fallback, err := p.Assign(t.Context(), batchOf("a", "b"))
			require.NoError(t, err)
			require.True(t, fallback)
			require.Equal(t, []int32{1, 2}, answer)
			require.Equal(t, [3]uint64{1, 1, 1}, counts(s))
			require.NotEmpty(t, s.Reports()[0].Stats.LastError)
		})
	}
}

func TestPartitionerThatAnswersIsBelieved(t *testing.T) {
	s := set(t, module.Partitioner, always(2, 0), options(always(1, 1)))
	p, _ := s.Partitioner("it")
	answer, fallback, err := p.Assign(t.Context(), batchOf("a", "b"))
	require.NoError(t, err)
	require.False(t, fallback)
	require.Equal(t, []int32{2, 0}, answer)
	require.Zero(t, s.Reports()[0].Stats.Errors)
}

func TestPartitionerWithoutFallbackFails(t *testing.T) {
	s := set(t, module.Partitioner, always(9), options(nil))
	p, _ := s.Partitioner("it")
	_, _, err := p.Assign(t.Context(), batchOf("a"))
	require.ErrorContains(t, err, `put record 0 into partition 9, but topic "t" has 3`)
}

func TestHangingModuleCostsABoundedNumberOfCalls(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	o := options(nil)
	o.PartitionerTimeout = time.Nanosecond
	hang := partitionerFunc(func(context.Context, partitioner.Batch) ([]int32, error) {
		<-release
		return nil, nil
	})
	p, _ := set(t, module.Partitioner, hang, o).Partitioner("it")
	for range maxRunning {
		_, _, err := p.Assign(t.Context(), batchOf("a"))
		require.ErrorContains(t, err, "did not answer within")
	}
	_, _, err := p.Assign(t.Context(), batchOf("a"))
	require.EqualError(t, err, "64 calls to the module are running already")
	require.Equal(t, module.Retriable, module.ClassOf(err))
}

// TestCallerThatGoesAwayIsNoFailureOfTheModule also shows that nobody is asked
// for an answer that nobody waits for.
func TestCallerThatGoesAwayIsNoFailureOfTheModule(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waits := partitionerFunc(func(called context.Context, _ partitioner.Batch) ([]int32, error) {
		cancel()
		<-called.Done()
		return nil, called.Err()
	})
	s := set(t, module.Partitioner, waits, options(always(1, 1)))
	p, _ := s.Partitioner("it")
	_, fallback, err := p.Assign(ctx, batchOf("a", "b"))
	require.Equal(t, context.Canceled, err)
	require.False(t, fallback)
	require.Equal(t, [3]uint64{1, 0, 0}, counts(s))
}

func counts(s *Set) [3]uint64 {
	stats := s.Reports()[0].Stats
	return [3]uint64{stats.Calls, stats.Errors, stats.Fallbacks}
}

func TestFallbackHasADeadlineToo(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	o := options(nil)
	o.AssignorTimeout = time.Millisecond
	o.FallbackAssignor = assignorFunc(func(context.Context, assignor.Snapshot) (assignor.Assignment, error) {
		<-release
		return assignor.Assignment{}, nil
	})
	wrong := assignorFunc(func(context.Context, assignor.Snapshot) (assignor.Assignment, error) {
		return assignor.Assignment{}, errors.New("no table")
	})
	a, _ := set(t, module.Assignor, wrong, o).Assignor("it")
	_, _, err := a.Assign(t.Context(), assignor.Snapshot{})
	require.ErrorContains(t, err, "module did not answer within 1ms")
}

func TestAssignorFallsBack(t *testing.T) {
	snapshot := assignor.Snapshot{
		Members: []assignor.Member{{ID: "m", Topics: []string{"t"}}}, Topics: []assignor.Topic{{Name: "t", Partitions: 2}},
	}
	exact := assignor.Assignment{Members: []assignor.MemberAssignment{{
		Partitions: []assignor.TopicPartitions{{Topic: "t", Partitions: []int32{0, 1}}}}}}
	o := options(nil)
	o.FallbackAssignor = assignorFunc(func(context.Context, assignor.Snapshot) (assignor.Assignment, error) { return exact, nil })
	incomplete := assignorFunc(func(context.Context, assignor.Snapshot) (assignor.Assignment, error) {
		return assignor.Assignment{Members: []assignor.MemberAssignment{{}}}, nil
	})
	s := set(t, module.Assignor, incomplete, o)
	a, _ := s.Assignor("it")
	answer, fallback, err := a.Assign(t.Context(), snapshot)
	require.NoError(t, err)
	require.True(t, fallback)
	require.Equal(t, exact, answer)
	require.Equal(t, uint64(1), s.Reports()[0].Stats.Fallbacks)
}

func TestCodecIsHeldToItsBudget(t *testing.T) {
	grow := func(n int) codecFunc {
		return func(dst, _ []byte, _ int) ([]byte, error) { return append(dst, make([]byte, n)...), nil }
	}
	s := set(t, module.Codec, grow(10), options(nil))
	out, err := s.Decompress(4, []byte("ab"), nil, 10)
	require.NoError(t, err)
	require.Equal(t, append([]byte("ab"), make([]byte, 10)...), out)
	_, err = s.Decompress(4, nil, nil, 9)
	require.EqualError(t, err, "codec answered 10 bytes for a budget of 9")
	require.Equal(t, uint64(1), s.Reports()[0].Stats.Errors)

	_, err = set(t, module.Codec, grow(101), options(nil)).Decompress(4, nil, nil, 1000)
	require.EqualError(t, err, "codec answered 101 bytes for a budget of 100", "max.decompressed.message.bytes bounds the budget")
}

func TestCorruptInputIsNoFailureOfTheCodec(t *testing.T) {
	s := set(t, module.Codec, codecFunc(func([]byte, []byte, int) ([]byte, error) { return nil, codec.ErrCorrupt }), options(nil))
	_, err := s.Decompress(4, nil, nil, 9)
	require.ErrorIs(t, err, codec.ErrCorrupt)
	require.Zero(t, s.Reports()[0].Stats.Errors)
}

// packer is a codec whose Compress is the function.
type packer struct {
	codecFunc
	compress func(dst, src []byte, level int) ([]byte, error)
}

func (packer) Info() codec.Info {
	return codec.Info{Attribute: 4, MinLevel: 1, MaxLevel: 3, DefaultLevel: 2}
}

func (p packer) Compress(_ context.Context, dst, src []byte, level int) ([]byte, error) {
	return p.compress(dst, src, level)
}

func TestCodecCompresses(t *testing.T) {
	var levels []int
	s := set(t, module.Codec, packer{compress: func(dst, src []byte, level int) ([]byte, error) {
		levels = append(levels, level)
		return append(dst, src...), nil
	}}, options(nil))
	for _, level := range []int{3, 17, -1} {
		out, err := s.Compress(4, []byte("ab"), []byte("cd"), level)
		require.NoError(t, err)
		require.Equal(t, "abcd", string(out))
	}
	require.Equal(t, []int{3, codec.LevelDefault, codec.LevelDefault}, levels, "a level of Kafka's that the codec has not")
}

func TestCodecThatForgetsWhatWasThere(t *testing.T) {
	s := set(t, module.Codec, packer{compress: func(_, src []byte, _ int) ([]byte, error) { return src, nil }}, options(nil))
	_, err := s.Compress(4, []byte("ab"), []byte("cd"), 1)
	require.EqualError(t, err, "codec did not append what it compressed to the 2 bytes that were there")
	require.Equal(t, uint64(1), s.Reports()[0].Stats.Errors)
	_, err = s.Compress(3, nil, nil, 1)
	require.ErrorIs(t, err, codec.ErrNone)
}

func TestCodecThatIsNotThere(t *testing.T) {
	s := set(t, module.Partitioner, always(), options(nil))
	_, err := s.Decompress(4, nil, nil, 9)
	require.EqualError(t, err, "no such codec among the modules of this broker: add zstd to modules.codec")
	_, err = s.Decompress(7, nil, nil, 9)
	require.EqualError(t, err, "no such codec among the modules of this broker: 7 is the attribute of none")
}

func TestNewRefusesWhatIsNotOfItsKind(t *testing.T) {
	_, err := New([]Module{{Descriptor: module.Descriptor{Kind: module.Storage, Name: "s"}, Instance: 3}}, options(nil))
	require.EqualError(t, err, "module storage/s does not implement the contract of its kind; it is a int")
	one := Module{Descriptor: module.Descriptor{Kind: module.Codec, Name: "c"}, Instance: codecFunc(nil)}
	twin := Module{Descriptor: module.Descriptor{Kind: module.Codec, Name: "d"}, Instance: codecFunc(nil)}
	_, err = New([]Module{one, twin}, options(nil))
	require.EqualError(t, err, "modules codec/c and codec/d have both the attribute 4; choose one of them")
}

type sick struct{ partitionerFunc }

func (sick) Health(context.Context) error { return errors.New("no hash table") }

func TestHealthNamesTheModule(t *testing.T) {
	require.NoError(t, set(t, module.Partitioner, always(), options(nil)).Health(t.Context()))
	err := set(t, module.Partitioner, sick{}, options(nil)).Health(t.Context())
	require.EqualError(t, err, "module partitioner/it is not healthy: no hash table")
}

// ill does not answer for its health before it may, or panics.
type ill struct {
	partitionerFunc
	may chan struct{}
}

func (i ill) Health(context.Context) error {
	if i.may == nil {
		panic("nil table")
	}
	<-i.may
	return nil
}

func TestHealthNamesTheModuleThatSaysNothing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	silent := ill{may: make(chan struct{})}
	defer close(silent.may)
	err := set(t, module.Partitioner, silent, options(nil)).Health(ctx)
	require.EqualError(t, err, "module partitioner/it did not say in time whether it is healthy")
	err = set(t, module.Partitioner, ill{}, options(nil)).Health(t.Context())
	require.EqualError(t, err, "module partitioner/it is not healthy: module panicked: nil table")
}

func TestLastErrorIsOneLine(t *testing.T) {
	m := newMeter(hclog.NewNullLogger(), clock.Real())
	m.fail(errors.New("not\x1b[31m \tnow\n" + strings.Repeat("\u20ac", maxLastError)))
	last := m.stats().LastError
	require.True(t, strings.HasPrefix(last, "not [31m now \u20ac"), last)
	require.True(t, strings.HasSuffix(last, "\u20ac..."), last)
	require.LessOrEqual(t, len(last), maxLastError+len("..."))

	m.fail(recovered(func() error { panic("not today") }))
	require.Equal(t, "module panicked: not today", m.stats().LastError)
	m.fail(errors.New("no\ngoroutine answered"))
	require.Equal(t, "no goroutine answered", m.stats().LastError)
}

// outOfRange is looked for in stacks.
func outOfRange() { panic("no row 9") }

func TestTheStackOfAPanicIsForTheLogAlone(t *testing.T) {
	for name, ask := range map[string]func(*Set) error{
		"call": func(s *Set) error {
			p, _ := s.Partitioner("it")
			_, _, err := p.Assign(t.Context(), batchOf("a"))
			return err
		},
		"health": func(s *Set) error { return s.Health(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			o := options(nil)
			o.Log = hclog.New(&hclog.LoggerOptions{Output: &out, JSONFormat: true})
			s := set(t, module.Partitioner, panicking{}, o)
			err := ask(s)
			require.ErrorContains(t, err, "module panicked: no row 9")
			require.NotContains(t, err.Error(), "outOfRange")
			require.NotContains(t, s.Reports()[0].Stats.LastError, "outOfRange")
			var said struct{ Error, Stack string }
			require.NoError(t, json.Unmarshal(out.Bytes(), &said), out.String())
			require.Equal(t, "module panicked: no row 9", said.Error)
			require.Contains(t, said.Stack, "guard.outOfRange")
		})
	}
}

type panicking struct{}

func (panicking) Assign(context.Context, partitioner.Batch) ([]int32, error) {
	outOfRange()
	return nil, nil
}

func (panicking) Health(context.Context) error {
	outOfRange()
	return nil
}

func TestModuleThatDoesNotRunSaysWhy(t *testing.T) {
	process := Process{State: "running", LastError: "killed"}
	s, err := New([]Module{{
		Descriptor: module.Descriptor{Kind: module.Partitioner, Name: "it"}, Instance: always(9), Process: func() Process { return process },
	}}, options(always(0)))
	require.NoError(t, err)
	require.Equal(t, "killed", s.Reports()[0].Stats.LastError)
	p, _ := s.Partitioner("it")
	_, _, err = p.Assign(t.Context(), batchOf("a"))
	require.NoError(t, err)
	require.Contains(t, s.Reports()[0].Stats.LastError, "partition 9")
	process.State = "quarantined"
	require.Equal(t, "killed", s.Reports()[0].Stats.LastError)
}

// TestSampledCallsStandForAll has two operations take turns, one of them slow,
// and a third that is timed each time.
func TestSampledCallsStandForAll(t *testing.T) {
	fake := clock.NewFake(time.Unix(100, 0))
	m := newMeter(hclog.NewNullLogger(), fake)
	for i := range 40 * sampled {
		began := m.beginSampled()
		fake.Advance([]time.Duration{time.Millisecond, 10 * time.Millisecond}[i%2])
		m.endSampled(began)
	}
	q := m.latency.quantiles(0.4, 0.6)
	require.InDelta(t, time.Millisecond, q[0], float64(time.Millisecond/8))
	require.InDelta(t, 10*time.Millisecond, q[1], float64(10*time.Millisecond/8))
	for range 10 * sampled {
		began := m.begin()
		fake.Advance(time.Second)
		m.end(began)
	}
	q = m.latency.quantiles(0.5, 0.9)
	require.Less(t, q[0], 20*time.Millisecond, "a fifth of the calls does not outweigh the others")
	require.GreaterOrEqual(t, q[1], time.Second)
}

func TestFailuresAreLoggedOnceASecond(t *testing.T) {
	var log strings.Builder
	fake := clock.NewFake(time.Unix(100, 0))
	m := newMeter(hclog.New(&hclog.LoggerOptions{Output: &log}), fake)
	for range 3 {
		m.fallBack(errors.New("no"), "sticky")
	}
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	fake.Advance(logEvery)
	m.fallBack(errors.New("no"), "sticky")
	require.Equal(t, 2, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), "unlogged=2")
}

func TestHistogramQuantilesAreOffByAnEighthAtMost(t *testing.T) {
	var h histogram
	require.Equal(t, []time.Duration{0, 0}, h.quantiles(0.5, 0.99))
	for i := 1; i <= 1000; i++ {
		h.observe(time.Duration(i)*time.Microsecond, 1)
	}
	q := h.quantiles(0.5, 0.99, 1)
	for i, exact := range []time.Duration{500 * time.Microsecond, 990 * time.Microsecond, 1000 * time.Microsecond} {
		require.GreaterOrEqual(t, q[i], exact)
		require.LessOrEqual(t, q[i], exact+exact/8)
	}
}

func TestEveryDurationHasItsBucket(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, 7, 8, 9, 15, 16, 17, 1000, time.Second, time.Hour, 1<<63 - 1} {
		b := bucketOf(d)
		require.LessOrEqual(t, d, upperBound(b))
		if b > 0 {
			require.Greater(t, max(d, 0), upperBound(b-1))
		}
	}
}
