package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/refusal"
)

// updateFeaturesAPI is UpdateFeatures (KIP-584): all updates or none. Version 1
// says by how much a level may go down, version 2 has no results, since they
// are all alike.
//
// Every feature has one level that this broker knows, so that nothing changes:
// what is in force is granted, and all else refused with the reason.
func updateFeaturesAPI() *api {
	return decoded(api{key: 57, name: "UpdateFeatures", min: 0, max: 2, flexibleFrom: 0}, updateFeatures,
		`timeout:int32 updates:[name:string level:int16 downgrade:bool@0-0 type:int8@1+] validate_only:bool@1+`)
}

func updateFeatures(_ context.Context, _ *Backend, _ *Caller, q *kmsg.UpdateFeaturesRequest) *kmsg.UpdateFeaturesResponse {
	response := kmsg.NewPtrUpdateFeaturesResponse()
	for i := range q.FeatureUpdates {
		if f := checkFeatureUpdate(q.Version, &q.FeatureUpdates[i]); f != nil {
			f.Message = "no feature was updated: " + f.Message
			response.ErrorCode, response.ErrorMessage = f.Outcome()
			return response
		}
	}
	for i := range q.FeatureUpdates {
		result := kmsg.NewUpdateFeaturesResponseResult()
		result.Feature = q.FeatureUpdates[i].Feature
		response.Results = append(response.Results, result)
	}
	return response
}

// The types of an update.
const (
	upgradeFeature         int8 = 1
	unsafeDowngradeFeature int8 = 3
)

func checkFeatureUpdate(version int16, u *kmsg.UpdateFeaturesRequestFeatureUpdate) *refusal.Refusal {
	f, known := featureNamed(u.Feature)
	switch {
	case version >= 1 && (u.UpgradeType < upgradeFeature || u.UpgradeType > unsafeDowngradeFeature):
		return refusal.New(kerr.InvalidUpdateVersion,
			"update type %d of feature %q is unknown; 1 is an upgrade, 2 a safe and 3 an unsafe downgrade", u.UpgradeType, u.Feature)
	case u.MaxVersionLevel < 0:
		return refusal.New(kerr.InvalidUpdateVersion, "feature %q cannot have the level %d, which is below 0", u.Feature, u.MaxVersionLevel)
	case !known:
		return refusal.New(kerr.InvalidUpdateVersion, "this broker does not have the feature %q", u.Feature)
	case u.MaxVersionLevel < f.min || u.MaxVersionLevel > f.max:
		return refusal.New(kerr.InvalidUpdateVersion, "feature %q cannot have the level %d; this broker knows %d to %d", u.Feature, u.MaxVersionLevel, f.min, f.max)
	}
	return nil
}
