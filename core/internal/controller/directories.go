package controller

import (
	"context"

	"odradek.dev/core/internal/metadata"
)

// KnowDirectories has the metadata know the log directories of this broker. It
// appends nothing if it knows them.
func (c *Controller) KnowDirectories(ctx context.Context, directories []metadata.Directory) error {
	_, err := change(ctx, c, func(i *metadata.Image) ([]metadata.Record, struct{}) {
		return metadata.KnowDirectories(i, c.options.Config.NodeID, directories), struct{}{}
	})
	return err
}
