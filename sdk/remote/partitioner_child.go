package remote

import (
	"context"

	"google.golang.org/grpc"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

type servedPartitioner struct {
	modulev1.UnimplementedPartitionerServer
	child *child
}

func registerPartitioner(s grpc.ServiceRegistrar, c *child) {
	modulev1.RegisterPartitionerServer(s, servedPartitioner{child: c})
}

func (s servedPartitioner) Assign(ctx context.Context, r *modulev1.PartitionRequest) (*modulev1.PartitionResponse, error) {
	instance, err := serving[partitioner.Partitioner](s.child)
	if err != nil {
		return nil, err
	}
	batch := partitioner.Batch{
		Topic: partitioner.Topic{Name: r.GetTopic(), Partitions: r.GetPartitions(), Available: r.GetAvailable(), Epoch: r.GetEpoch()},
		Keys:  record.Blobs{Data: r.GetKeys(), Lens: r.GetKeyLengths()},
		Sizes: r.GetSizes(),
	}
	if err := checkKeys(batch.Keys); err != nil {
		return &modulev1.PartitionResponse{Error: toWire(err)}, nil
	}
	partitions, err := instance.Assign(ctx, batch)
	return &modulev1.PartitionResponse{Partitions: partitions, Error: toWire(err)}, nil
}

func partitionerFrames(instance any) map[frame.Op]frame.Handler {
	p := instance.(partitioner.Partitioner)
	return map[frame.Op]frame.Handler{
		frame.OpPartition: func(ctx context.Context, payload, out []byte) ([]byte, error) {
			batch, err := parseBatch(payload)
			if err != nil {
				return nil, err
			}
			partitions, err := p.Assign(ctx, batch)
			if err != nil {
				return nil, err
			}
			return appendInts(out, partitions), nil
		},
	}
}
