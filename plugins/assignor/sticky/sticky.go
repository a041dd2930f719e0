package sticky

import (
	"context"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/kafkasticky"
)

// Sticky is an assignor.
type Sticky struct{}

// New returns the assignor.
func New() Sticky { return Sticky{} }

// Assign implements assignor.Assignor.
func (Sticky) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return kafkasticky.Assign(ctx, snapshot)
}
