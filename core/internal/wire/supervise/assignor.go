package supervise

import (
	"context"

	"odradek.dev/sdk/assignor"
)

type assignorProxy struct{ anyProxy }

var _ assignor.Assignor = (*assignorProxy)(nil)

func (p *assignorProxy) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return forward(ctx, p.module, func(current assignor.Assignor) (assignor.Assignment, error) {
		return current.Assign(ctx, snapshot)
	})
}
