package cooperativesticky

import (
	"context"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/kafkasticky"
)

// CooperativeSticky is an assignor.
type CooperativeSticky struct{}

// New returns the assignor.
func New() CooperativeSticky { return CooperativeSticky{} }

// Assign implements assignor.Assignor.
func (CooperativeSticky) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return kafkasticky.Assign(ctx, snapshot)
}
