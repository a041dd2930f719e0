package supervise

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

func TestMain(m *testing.M) {
	if remote.IsModuleProcess() {
		remote.Serve(slowPartitioner(), plainCodec())
	}
	goleak.VerifyTestMain(m)
}

// slowPartitioner waits for the deadline when the topic is called "wait".
func slowPartitioner() module.Factory {
	return partitioner.Module(module.Descriptor{Name: "slow", Version: "1.0.0"},
		func() module.NoSettings { return module.NoSettings{} },
		func(module.Env, module.NoSettings) (partitioner.Partitioner, error) { return slow{}, nil })
}

type slow struct{}

func (slow) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	if batch.Topic.Name == "wait" {
		<-ctx.Done()
	}
	return make([]int32, batch.Keys.Len()), ctx.Err()
}

func plainCodec() module.Factory {
	return codec.Module(module.Descriptor{Name: "plain", Version: "1.0.0"},
		func() module.NoSettings { return module.NoSettings{} },
		func(module.Env, module.NoSettings) (codec.Codec, error) { return fakeCodec{}, nil })
}
