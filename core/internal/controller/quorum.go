package controller

import (
	"context"

	"odradek.dev/sdk/election"
)

// Quorum is who decides about the metadata log, and how far it has come.
func (c *Controller) Quorum(ctx context.Context) (election.Status, error) {
	return c.options.Election.Status(ctx)
}
