package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
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

// Every one of Kafka 4.4.0 may be asked for at the level that it has.
func TestFeaturesThatAreNotHereYetStayAtZero(t *testing.T) {
	for _, f := range metadata.Features() {
		if f.Max > 0 {
			continue
		}
		for version := int16(0); version <= 2; version++ {
			require.Zero(t, updateOver(t, version, featureUpdate(f.Name, 0, 1)).ErrorCode, f.Name)
			refused := updateOver(t, version, featureUpdate(f.Name, 1, 1))
			require.Equal(t, kerr.InvalidUpdateVersion.Code, refused.ErrorCode, f.Name)
			require.Contains(t, *refused.ErrorMessage, `"`+f.Name+`" cannot have the level 1; this release supports up to 0`)
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
// Java's producer changes its transactions for transaction.version 2. Kafka too
// leaves out what is finalized at level 0.
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
		finalized := map[string]int16{}
		for _, f := range answer.FinalizedFeatures {
			require.Equal(t, f.MaxVersionLevel, f.MinVersionLevel)
			finalized[f.Name] = f.MaxVersionLevel
		}
		require.Equal(t, map[string]int16{"group.version": 1, "metadata.version": 33}, finalized)
		supported := map[string][2]int16{}
		for _, f := range answer.SupportedFeatures {
			supported[f.Name] = [2]int16{f.MinVersion, f.MaxVersion}
		}
		if version < 4 {
			require.Equal(t, map[string][2]int16{"metadata.version": {7, 33}}, supported)
		} else {
			require.Equal(t, map[string][2]int16{
				"eligible.leader.replicas.version": {0, 0}, "group.version": {0, 1}, "kraft.version": {0, 0}, "metadata.version": {7, 33},
				"share.version": {0, 0}, "streams.version": {0, 0}, "transaction.version": {0, 0},
			}, supported)
		}
	}
}

func TestAFeatureIsTurnedOffAndOnAgain(t *testing.T) {
	b, p := planned(t)
	update := func(level int16, kind int8, validateOnly bool) int16 {
		q := kmsg.NewPtrUpdateFeaturesRequest()
		q.SetVersion(2)
		q.ValidateOnly = validateOnly
		q.FeatureUpdates = []kmsg.UpdateFeaturesRequestFeatureUpdate{featureUpdate("group.version", level, kind)}
		return updateFeatures(t.Context(), b, plaintext(), q).ErrorCode
	}
	require.Equal(t, kerr.InvalidUpdateVersion.Code, update(0, 1, false), "an upgrade does not lower")
	require.Zero(t, update(0, 2, true))
	require.EqualValues(t, 1, p.Image().FeatureLevel("group.version"), "it was to be validated only")
	require.Zero(t, update(0, 2, false))
	require.Zero(t, p.Image().FeatureLevel("group.version"))
	response := kmsg.NewPtrApiVersionsResponse()
	addFeatures(response, p.Image(), 4)
	require.Len(t, response.FinalizedFeatures, 1, "level 0 is left out")
	require.Equal(t, kerr.InvalidUpdateVersion.Code, update(1, 2, false), "a downgrade does not raise")
	require.Zero(t, update(1, 1, false))
	require.EqualValues(t, 1, p.Image().FeatureLevel("group.version"))
}

// A refusal names no API: the client has to say what it is first.
func TestApiVersionsOfAClientWithoutAName(t *testing.T) {
	b := newTestBroker(t)
	for version := int16(3); version <= 5; version++ {
		q := kmsg.NewPtrApiVersionsRequest()
		q.SetVersion(version)
		q.ClientSoftwareName, q.ClientSoftwareVersion = "<>", "1"
		answer := b.dial(t).ask(q).(*kmsg.ApiVersionsResponse)
		require.Equal(t, kerr.InvalidRequest.Code, answer.ErrorCode)
		require.Empty(t, answer.ApiKeys)
		require.Empty(t, answer.SupportedFeatures)
		require.Empty(t, answer.FinalizedFeatures)
		require.EqualValues(t, -1, answer.FinalizedFeaturesEpoch)
	}
}
