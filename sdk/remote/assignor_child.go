package remote

import (
	"context"

	"google.golang.org/grpc"

	"odradek.dev/sdk/assignor"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

type servedAssignor struct {
	modulev1.UnimplementedAssignorServer
	child *child
}

func registerAssignor(s grpc.ServiceRegistrar, c *child) {
	modulev1.RegisterAssignorServer(s, servedAssignor{child: c})
}

func (s servedAssignor) Assign(ctx context.Context, r *modulev1.AssignRequest) (*modulev1.AssignResponse, error) {
	instance, err := serving[assignor.Assignor](s.child)
	if err != nil {
		return nil, err
	}
	assignment, err := instance.Assign(ctx, snapshotFromWire(r))
	if err != nil {
		return &modulev1.AssignResponse{Error: toWire(err)}, nil
	}
	return assignmentToWire(assignment), nil
}
