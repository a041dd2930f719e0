package remote_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/remote"
	"odradek.dev/sdk/remote/remotetest"
)

// onEveryBinding runs check with the module in a process of its own, over
// frames and over gRPC, beside the same module in this process.
func onEveryBinding[M any](t *testing.T, factory module.Factory, settings map[string]any, check func(t *testing.T, here, there M)) {
	inProcess, err := factory.New(module.Env{}, settings)
	require.NoError(t, err)
	for _, binding := range []string{"frames", "grpc"} {
		t.Run(binding, func(t *testing.T) {
			command := remotetest.Command(t, factory, settings)
			command.NoFrames = binding == "grpc"
			process := remotetest.Launch(t, command)
			require.Equal(t, factory.Descriptor(), process.Descriptor())
			require.Equal(t, binding == "frames" && command.Kind != module.Assignor, process.Framed())
			check(t, inProcess.(M), process.Instance().(M))
		})
	}
}

// sameError compares what a caller can see of an error.
func sameError(t *testing.T, here, there error) {
	t.Helper()
	if here == nil {
		require.NoError(t, there)
		return
	}
	require.EqualError(t, there, here.Error())
	require.Equal(t, module.ClassOf(here), module.ClassOf(there))
	require.Equal(t, module.AsError(here).Code, module.AsError(there).Code)
}

func keys(list ...[]byte) record.Blobs {
	var blobs record.Blobs
	for _, key := range list {
		blobs.Append(key)
	}
	return blobs
}

func TestPartitionerIsTheSameOnEveryBinding(t *testing.T) {
	batches := map[string]partitioner.Batch{
		"keys":       {Topic: partitioner.Topic{Name: "t", Partitions: 12}, Keys: keys([]byte("a"), nil, []byte(""), []byte("four")), Sizes: []int32{1, 2, 3, 4}},
		"available":  {Topic: partitioner.Topic{Name: "t", Partitions: 5, Available: []int32{1, 4}, Epoch: 9}, Keys: keys([]byte("a"))},
		"no records": {Topic: partitioner.Topic{Name: "t", Partitions: 5}},
		"no sizes":   {Topic: partitioner.Topic{Name: strings.Repeat("long", 60), Partitions: math.MaxInt32}, Keys: keys(bytes.Repeat([]byte("k"), 1<<20))},
		"code":       {Topic: partitioner.Topic{Name: "t"}, Keys: keys([]byte("a"))},
		"plain":      {Topic: partitioner.Topic{Name: "plain error", Partitions: 1}, Keys: keys([]byte("a"))},
	}
	settings := map[string]any{
		"shift": 3, "wait": 5 * time.Millisecond, "share": 0.5, "on": true, "racks": []any{"a", "b"},
		"weights": map[string]any{"a": 1}, "aliases": map[string]any{"x": "y"}, "maximum": uint64(math.MaxUint64), "required": "none",
	}
	onEveryBinding(t, testPartitioner(), settings, func(t *testing.T, here, there partitioner.Partitioner) {
		for name, batch := range batches {
			t.Run(name, func(t *testing.T) {
				want, errHere := here.Assign(t.Context(), batch)
				got, errThere := there.Assign(t.Context(), batch)
				sameError(t, errHere, errThere)
				require.Equal(t, len(want), len(got))
				require.ElementsMatch(t, want, got)
				if name == "code" {
					require.ErrorIs(t, errThere, errNoPlace)
				}
			})
		}
	})
}

func TestAssignorIsTheSameOnEveryBinding(t *testing.T) {
	snapshots := map[string]assignor.Snapshot{
		"empty":   {Group: "g"},
		"refused": {Group: "refused"},
		"full": {
			Group: "g",
			Members: []assignor.Member{
				{ID: "a", InstanceID: "i", Rack: "r1", Topics: []string{"t1"}, UserData: []byte{0, 1}, Generation: -1},
				{ID: "b", Topics: []string{"t1", "t2"}, UserData: []byte{}, Owned: []assignor.TopicPartitions{{Topic: "t1", Partitions: []int32{0, 2}}}, Generation: 7},
			},
			Topics: []assignor.Topic{
				{Name: "t1", Partitions: 3, Racks: [][]string{{"r1"}, {"r2", "r3"}, {"r1"}}, Lags: []int64{-1, 5, math.MaxInt64}},
				{Name: "t2", Partitions: 1},
			},
		},
	}
	onEveryBinding(t, testAssignor(), nil, func(t *testing.T, here, there assignor.Assignor) {
		for name, snapshot := range snapshots {
			t.Run(name, func(t *testing.T) {
				want, errHere := here.Assign(t.Context(), snapshot)
				got, errThere := there.Assign(t.Context(), snapshot)
				sameError(t, errHere, errThere)
				require.Equal(t, want, got)
			})
		}
	})
}

func TestCodecIsTheSameOnEveryBinding(t *testing.T) {
	inputs := map[string][]byte{
		"empty": {}, "run": bytes.Repeat([]byte("a"), 5000), "mixed": []byte("abc"),
		"large": append(bytes.Repeat([]byte("ab"), 5<<20), 'c'),
	}
	onEveryBinding(t, testCodec(), nil, func(t *testing.T, here, there codec.Codec) {
		require.Equal(t, here.Info(), there.Info())
		for name, input := range inputs {
			for _, level := range []int{codec.LevelDefault, 0, -7, 22, 23, math.MaxInt64} {
				want, errHere := here.Compress(t.Context(), []byte("before"), input, level)
				got, errThere := there.Compress(t.Context(), []byte("before"), input, level)
				sameError(t, errHere, errThere)
				if errHere == nil {
					require.True(t, bytes.Equal(want, got), "%s at level %d", name, level)
					sameDecompression(t, here, there, want[len("before"):], len(input))
				}
			}
		}
		sameDecompression(t, here, there, []byte("damaged"), 100)
		sameDecompression(t, here, there, []byte("rx"), 100)
	})
}

func sameDecompression(t *testing.T, here, there codec.Codec, src []byte, size int) {
	t.Helper()
	for _, budget := range []int{size, size - 1, 0, math.MaxInt64} {
		want, errHere := here.Decompress(t.Context(), []byte("before"), src, budget)
		got, errThere := there.Decompress(t.Context(), []byte("before"), src, budget)
		sameError(t, errHere, errThere)
		if errHere == nil {
			require.True(t, bytes.Equal(want, got))
		}
	}
}

func TestSettingsMeanTheSameInAnotherProcess(t *testing.T) {
	refused := map[string]map[string]any{
		"number for text":        {"mode": 5},
		"fraction for whole":     {"shift": 1.5},
		"number for duration":    {"wait": 250},
		"text for number":        {"shift": "many"},
		"refused by Validate":    {"required": "some"},
		"unknown name":           {"shiift": 1},
		"wrong type in a map":    {"weights": map[string]any{"a": "b"}},
		"number for text in map": {"aliases": map[string]any{"a": 1}},
	}
	for name, settings := range refused {
		t.Run(name, func(t *testing.T) {
			here := testPartitioner().Check(settings)
			require.Error(t, here)
			_, there := remote.Launch(t.Context(), remotetest.Command(t, testPartitioner(), settings))
			require.ErrorContains(t, there, here.Error())
			require.ErrorContains(t, there, "partitioner/length")
			if unknown := (*module.UnknownSettingError)(nil); name == "unknown name" {
				require.ErrorAs(t, there, &unknown)
				require.Equal(t, here, unknown)
			}
		})
	}
}

func TestHealthAndFieldsCross(t *testing.T) {
	process := remotetest.Launch(t, remotetest.Command(t, testPartitioner(), map[string]any{"mode": "unwell"}))
	err := module.Health(t.Context(), process.Instance())
	require.EqualError(t, err, "the table is not loaded")
	require.Equal(t, module.Retriable, module.ClassOf(err))

	fields := testPartitioner().Fields()
	require.Len(t, process.Fields(), len(fields))
	require.Equal(t, fields[0], process.Fields()[0])
	require.Equal(t, "1s", process.Fields()[2].Default)
}

func TestStopGivesTheErrorOfTheModule(t *testing.T) {
	process, err := remote.Launch(t.Context(), remotetest.Command(t, testPartitioner(), map[string]any{"mode": "stop error"}))
	require.NoError(t, err)
	require.EqualError(t, process.Stop(context.Background()), "the table cannot be closed")
	<-process.Done()
	require.NoError(t, process.Err())
}
