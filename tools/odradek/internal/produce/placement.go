package produce

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/kgoadapter"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/vfs"

	"odradek.dev/tools/odradek/internal/adminapi"
)

// placement is who chooses the partition of each record.
type placement interface {
	// options are what the client needs for it.
	options() []kgo.Opt
	// batchRecords is how many records one call of place gets.
	batchRecords() int
	// place sets the partition of the records, if that is done ahead of the
	// client.
	place(ctx context.Context, records []*kgo.Record) error
	// fallbacks is how many calls the partitioner did not answer itself.
	fallbacks() int64
}

func (p *producing) placement(topic string) (placement, error) {
	if p.partition != anyPartition {
		return fixed{}, nil
	}
	var builtIn []string
	for _, factory := range p.modules {
		d := factory.Descriptor()
		if d.Kind != module.Partitioner {
			continue
		}
		if d.Name != p.partitioner {
			builtIn = append(builtIn, d.Name)
			continue
		}
		instance, err := factory.New(environment(), nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.ID(), err)
		}
		return inClient{instance.(partitioner.Partitioner)}, nil
	}
	return &inBroker{client: adminapi.New(p.admin), name: p.partitioner, topic: topic, builtIn: builtIn}, nil
}

func environment() module.Env {
	return module.Env{Log: hclog.NewNullLogger(), Clock: clock.Real(), FS: vfs.OS(), Seed: rand.Uint64()}
}

// fixed leaves the partition that the record was made with.
type fixed struct{}

func (fixed) options() []kgo.Opt {
	return []kgo.Opt{kgo.RecordPartitioner(kgo.ManualPartitioner())}
}
func (fixed) batchRecords() int                          { return 1 }
func (fixed) place(context.Context, []*kgo.Record) error { return nil }
func (fixed) fallbacks() int64                           { return 0 }

// inClient runs a built-in partitioner inside the client, as a Go program
// would.
type inClient struct{ partitioner partitioner.Partitioner }

func (c inClient) options() []kgo.Opt {
	return []kgo.Opt{kgo.RecordPartitioner(kgoadapter.Partitioner(c.partitioner))}
}
func (inClient) batchRecords() int                          { return 1 }
func (inClient) place(context.Context, []*kgo.Record) error { return nil }
func (inClient) fallbacks() int64                           { return 0 }

// inBroker asks the broker, which alone has the module's process.
type inBroker struct {
	client      *adminapi.Client
	name, topic string
	// builtIn are the names that need no broker, for the error of one that
	// the broker does not have either.
	builtIn  []string
	fellBack atomic.Int64
}

const brokerBatchRecords = 1000

func (*inBroker) options() []kgo.Opt {
	return []kgo.Opt{kgo.RecordPartitioner(kgo.ManualPartitioner())}
}

func (*inBroker) batchRecords() int { return brokerBatchRecords }

func (b *inBroker) place(ctx context.Context, records []*kgo.Record) error {
	keys := make([][]byte, len(records))
	sizes := make([]int32, len(records))
	for i, r := range records {
		keys[i] = r.Key
		sizes[i] = int32(len(r.Key) + len(r.Value))
	}
	answer, err := b.client.Partition(ctx, adminapi.PartitionRequest{
		Partitioner: b.name, Topic: b.topic, Keys: keys, Sizes: sizes,
	})
	if err != nil {
		return fmt.Errorf("partitioner %q is not built in, as %s are, and asking the broker for it failed: %w",
			b.name, strings.Join(b.builtIn, ", "), err)
	}
	if answer.Fallback {
		b.fellBack.Add(1)
	}
	for i, r := range records {
		r.Partition = answer.Partitions[i]
	}
	return nil
}

func (b *inBroker) fallbacks() int64 { return b.fellBack.Load() }
