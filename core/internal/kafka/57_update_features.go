package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// updateFeaturesAPI is UpdateFeatures (KIP-584): all updates or none.
//
//	v0 every update is an upgrade; what it says of downgrades is not looked at,
//	   as in Kafka
//	v1 the type of the update, and validation only (KIP-778)
//	v2 no results, since they are all alike (KIP-1022)
func updateFeaturesAPI() *api {
	return decoded(api{key: 57, name: "UpdateFeatures", min: 0, max: 2, flexibleFrom: 0}, updateFeatures,
		`timeout:int32 updates:[name:string level:int16 downgrade:bool@0-0 type:int8@1+] validate_only:bool@1+`)
}

func updateFeatures(ctx context.Context, b *Backend, _ *Caller, q *kmsg.UpdateFeaturesRequest) *kmsg.UpdateFeaturesResponse {
	ctx, cancel := withinTimeout(ctx, q.TimeoutMillis)
	defer cancel()

	response := kmsg.NewPtrUpdateFeaturesResponse()
	if len(q.FeatureUpdates) == 0 {
		return response
	}
	updates := make([]metadata.FeatureUpdate, len(q.FeatureUpdates))
	for n, u := range q.FeatureUpdates {
		updates[n] = metadata.FeatureUpdate{Name: u.Feature, Level: u.MaxVersionLevel, Kind: metadata.FeatureUpdateKind(u.UpgradeType)}
		if q.Version < 1 {
			updates[n].Kind = metadata.UpgradeFeature
		}
	}
	if refused := b.Controller.UpdateFeatures(ctx, updates, q.ValidateOnly); refused != nil {
		response.ErrorCode = refused.Code()
		response.ErrorMessage = kmsg.StringPtr("no feature was updated: " + refused.Message)
		return response
	}
	for _, u := range updates {
		result := kmsg.NewUpdateFeaturesResponseResult()
		result.Feature = u.Name
		response.Results = append(response.Results, result)
	}
	return response
}
