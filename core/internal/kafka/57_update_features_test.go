package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func updateOver(t *testing.T, version int16, updates ...kmsg.UpdateFeaturesRequestFeatureUpdate) *kmsg.UpdateFeaturesResponse {
	t.Helper()
	b, _ := planned(t)
	q := kmsg.NewPtrUpdateFeaturesRequest()
	q.SetVersion(version)
	q.FeatureUpdates = updates
	return overTheWire(t, version, updateFeatures(t.Context(), b, plaintext(), q), kmsg.NewPtrUpdateFeaturesResponse())
}

func featureUpdate(name string, level int16, kind int8) kmsg.UpdateFeaturesRequestFeatureUpdate {
	u := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	u.Feature, u.MaxVersionLevel, u.UpgradeType = name, level, kind
	return u
}

func TestUpdateFeaturesAtEveryVersion(t *testing.T) {
	inForce := featureUpdate("metadata.version", 33, 1)
	refused := map[string]kmsg.UpdateFeaturesRequestFeatureUpdate{
		"too high":                 featureUpdate("metadata.version", 34, 1),
		"lower, as an upgrade":     featureUpdate("metadata.version", 32, 1),
		"lower, as a downgrade":    featureUpdate("metadata.version", 32, 3),
		"removed":                  featureUpdate("metadata.version", 0, 2),
		"below 0":                  featureUpdate("metadata.version", -1, 2),
		"one that is not here yet": featureUpdate("transaction.version", 2, 1),
		"one that nobody knows":    featureUpdate("nonsense", 1, 1),
		"one without a name":       featureUpdate("", 1, 1),
	}
	for version := int16(0); version <= 2; version++ {
		require.Zero(t, updateOver(t, version).ErrorCode, "no updates")
		granted := updateOver(t, version, inForce)
		require.Zero(t, granted.ErrorCode)
		require.Nil(t, granted.ErrorMessage)
		if version < 2 {
			require.Len(t, granted.Results, 1)
			require.Equal(t, "metadata.version", granted.Results[0].Feature)
			require.Zero(t, granted.Results[0].ErrorCode)
		}
		for name, update := range refused {
			resp := updateOver(t, version, inForce, update)
			require.Equal(t, kerr.InvalidUpdateVersion.Code, resp.ErrorCode, name)
			require.NotEmpty(t, *resp.ErrorMessage)
			require.Empty(t, resp.Results)
		}
	}
}

func TestUpdateFeaturesChecksItsType(t *testing.T) {
	for _, kind := range []int8{0, 4, -1} {
		require.Zero(t, updateOver(t, 0, featureUpdate("metadata.version", 33, kind)).ErrorCode, "version 0 has none")
		for version := int16(1); version <= 2; version++ {
			require.Equal(t, kerr.InvalidUpdateVersion.Code, updateOver(t, version, featureUpdate("metadata.version", 33, kind)).ErrorCode)
		}
	}
}

// Clients of version 3 take a feature that begins at level 0 for malformed, and
// Java's producer changes its transactions for transaction.version 2.
func TestApiVersionsHasTheFeaturesInForce(t *testing.T) {
	b := newTestBroker(t)
	for version := int16(0); version <= 5; version++ {
		q := kmsg.NewPtrApiVersionsRequest()
		q.SetVersion(version)
		q.ClientSoftwareName, q.ClientSoftwareVersion = "raw", "1"
		answer := b.dial(t).ask(q).(*kmsg.ApiVersionsResponse)
		require.Zero(t, answer.ErrorCode)
		if version < 3 {
			require.EqualValues(t, -1, answer.FinalizedFeaturesEpoch)
			require.Empty(t, answer.FinalizedFeatures)
			continue
		}
		require.Equal(t, b.backend.Controller.Image().Index(), answer.FinalizedFeaturesEpoch)
		require.Len(t, answer.FinalizedFeatures, 1)
		require.Equal(t, "metadata.version", answer.FinalizedFeatures[0].Name)
		require.EqualValues(t, 33, answer.FinalizedFeatures[0].MaxVersionLevel)
		require.EqualValues(t, 33, answer.FinalizedFeatures[0].MinVersionLevel)
		for _, f := range answer.SupportedFeatures {
			require.Positive(t, f.MinVersion)
		}
	}
}
