// Package partitioner is the contract of modules that choose the partition of
// each record: in Go clients through sdk/kgoadapter, in the command line, and
// in the broker's gateways.
package partitioner

import (
	"context"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
)

// Partitioner assigns records to partitions. Safe for concurrent use: an
// instance serves every producer and topic of its host. A call whose context has
// ended gives an error.
//
// The host checks each answer. A partition outside the topic, an answer of the
// wrong length, an error or a missed deadline makes it fall back to the
// built-in `sticky` for that batch; it counts and logs that it did.
type Partitioner interface {
	// Assign returns one partition for each key, in [0, Topic.Partitions).
	// Records with equal keys must get equal partitions while the topic view
	// stays the same, unless the module documents otherwise.
	Assign(ctx context.Context, batch Batch) ([]int32, error)
}

// Batch is the records that one call partitions.
type Batch struct {
	Topic Topic
	// Keys has a key for each record, null for a record without one.
	Keys record.Blobs
	// Sizes has for each record about how many bytes it adds to a batch. A
	// partitioner that fills one batch before it goes on to another partition
	// counts these.
	Sizes []int32
}

// Module makes the factory of a partitioner. The descriptor's kind may be left
// empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Partitioner, error)) module.Factory {
	d.Kind = module.Partitioner
	return module.NewFactory(d, defaults, build)
}

// Check reports what is wrong with an answer to batch: what the host checks on
// every call, and the conformance suite too.
func Check(batch Batch, partitions []int32) error {
	if len(partitions) != batch.Keys.Len() {
		return module.Fatalf("partitioner answered %d partitions for %d records", len(partitions), batch.Keys.Len())
	}
	for i, p := range partitions {
		if p < 0 || p >= batch.Topic.Partitions {
			return module.Fatalf("partitioner put record %d into partition %d, but topic %q has %d", i, p, batch.Topic.Name, batch.Topic.Partitions)
		}
	}
	return nil
}
