package remote

import (
	"context"

	"odradek.dev/sdk/assignor"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

type hostedAssignor struct{ *link }

var _ assignor.Assignor = hostedAssignor{}

func assignorHost(_ context.Context, l *link) (any, error) { return hostedAssignor{l}, nil }

func (a hostedAssignor) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	answer, err := unary(ctx, modulev1.NewAssignorClient(a.conn).Assign, snapshotToWire(snapshot))
	if err != nil {
		return assignor.Assignment{}, err
	}
	return assignmentFromWire(answer), nil
}
