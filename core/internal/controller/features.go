package controller

import (
	"context"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// UpdateFeatures puts other levels of features in force, all that are asked for
// or none. With validateOnly it says what would come of it.
func (c *Controller) UpdateFeatures(ctx context.Context, updates []metadata.FeatureUpdate, validateOnly bool) *refusal.Refusal {
	refused, err := change(ctx, c, func(i *metadata.Image) ([]metadata.Record, *refusal.Refusal) {
		records, refused := metadata.UpdateFeatures(i, updates)
		if validateOnly {
			records = nil
		}
		return records, refused
	})
	if err != nil {
		return refusalOf(err)
	}
	return refused
}
