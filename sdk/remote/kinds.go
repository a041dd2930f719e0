package remote

import (
	"context"

	"google.golang.org/grpc"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/frame"
)

// kind is the two sides of one kind of module.
type kind struct {
	// host returns an implementation of the contract that calls the child.
	host func(ctx context.Context, l *link) (any, error)
	// register serves the kind's gRPC calls on the instance that Configure
	// will build.
	register func(s grpc.ServiceRegistrar, c *child)
	// frames is the kind's framed calls; nil if it has none.
	frames func(instance any) map[frame.Op]frame.Handler
}

// kinds lists the kinds that can run in a process of their own.
func kinds() map[module.Kind]kind {
	return map[module.Kind]kind{
		module.Partitioner: {host: partitionerHost, register: registerPartitioner, frames: partitionerFrames},
		module.Assignor:    {host: assignorHost, register: registerAssignor},
		module.Codec:       {host: codecHost, register: registerCodec, frames: codecFrames},
	}
}
