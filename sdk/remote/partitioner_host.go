package remote

import (
	"context"
	"math"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// answerSlack lets an answer of the wrong length through, so that the host's
// check of the kind, not the transport, says what is wrong with it.
const answerSlack = 4 << 10

type hostedPartitioner struct{ *link }

var _ partitioner.Partitioner = hostedPartitioner{}

func partitionerHost(_ context.Context, l *link) (any, error) { return hostedPartitioner{l}, nil }

func (p hostedPartitioner) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	if p.frames == nil {
		return p.assignUnary(ctx, batch)
	}
	if len(batch.Topic.Name) > math.MaxUint16 {
		return nil, module.Invalidf("a topic name of %d bytes is too long", len(batch.Topic.Name))
	}
	var partitions []int32
	err := p.call(ctx, frame.Request{
		Op:     frame.OpPartition,
		Limit:  4*batch.Keys.Len() + answerSlack,
		Encode: func(b []byte) []byte { return appendBatch(b, batch) },
		Decode: func(b []byte) error {
			if len(b)%4 != 0 {
				return module.Fatalf("the partitioner answered %d bytes, which are no partitions", len(b))
			}
			partitions = parseInts(b)
			return nil
		},
	})
	return partitions, err
}

func (p hostedPartitioner) assignUnary(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	answer, err := unary(ctx, modulev1.NewPartitionerClient(p.conn).Assign, &modulev1.PartitionRequest{
		Topic:      batch.Topic.Name,
		Partitions: batch.Topic.Partitions,
		Available:  batch.Topic.Available,
		Epoch:      batch.Topic.Epoch,
		Keys:       batch.Keys.Data,
		KeyLengths: batch.Keys.Lens,
		Sizes:      batch.Sizes,
	})
	return answer.GetPartitions(), err
}
