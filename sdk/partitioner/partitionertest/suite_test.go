package partitionertest_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
	"odradek.dev/sdk/partitioner/partitionertest"
)

type assignFunc func(ctx context.Context, batch partitioner.Batch) ([]int32, error)

func (f assignFunc) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return f(ctx, batch)
}

var random = partitioner.NewRandom(1)

func sound(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			return random.Usable(&batch.Topic)
		}
		return hash.Masked(hash.Murmur2(key), batch.Topic.Partitions)
	})
}

func TestSoundPartitionerPasses(t *testing.T) {
	partitionertest.Run(t, func(*testing.T) partitioner.Partitioner { return assignFunc(sound) })
}

// TestSkewedPartitionerPassesIfItSaysSo: without [partitionertest.Skewed] the
// same partitioner is broken.
func TestSkewedPartitionerPassesIfItSaysSo(t *testing.T) {
	partitionertest.Run(t, func(*testing.T) partitioner.Partitioner { return broken["distribution"] }, partitionertest.Skewed())
}

// broken has partitioners by the part of the suite that must find them.
var broken = map[string]assignFunc{
	"large_batches": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		answer, err := sound(ctx, batch)
		return answer[:min(len(answer), 999)], err
	},
	"equal_keys_stay_together": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		return partitioner.Each(ctx, batch, func(int, []byte) int32 { return random.Usable(&batch.Topic) })
	},
	"keyless_goes_to_the_available": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		batch.Topic.Available = nil
		return sound(ctx, batch)
	},
	"distribution": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		return partitioner.Each(ctx, batch, func(int, []byte) int32 { return batch.Topic.Nth(0) })
	},
	"context_that_has_ended": func(_ context.Context, batch partitioner.Batch) ([]int32, error) {
		return sound(context.Background(), batch)
	},
	"batch_that_is_not_one": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		if batch.Topic.Partitions == 0 {
			return make([]int32, batch.Keys.Len()), nil
		}
		return sound(ctx, batch)
	},
	"batch_stays_as_it_was": func(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
		answer, err := sound(ctx, batch)
		clear(batch.Keys.Data)
		return answer, err
	},
}

func TestSuiteFindsBrokenPartitioners(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for part := range broken {
		t.Run(part, func(t *testing.T) {
			run := exec.Command(self, "-test.run=^TestBroken$/^"+part+"$/^"+part+"$")
			run.Env = append(os.Environ(), "ODRADEK_TEST_BROKEN=1")
			output, err := run.CombinedOutput()
			require.Error(t, err, "the suite passed:\n%s", output)
			require.Contains(t, string(output), "--- FAIL: TestBroken/"+part+"/"+part)
		})
	}
}

// TestBroken fails, and so does nothing unless the test above runs it.
func TestBroken(t *testing.T) {
	if os.Getenv("ODRADEK_TEST_BROKEN") == "" {
		return
	}
	for part, module := range broken {
		t.Run(part, func(t *testing.T) {
			partitionertest.Run(t, func(*testing.T) partitioner.Partitioner { return module })
		})
	}
}
