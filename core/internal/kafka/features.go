package kafka

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// levelZeroSince is the version of ApiVersions from which a range of levels may
// begin at 0: clients of earlier ones take such a range for broken (KIP-1022).
const levelZeroSince = 4

// addFeatures tells a client of ApiVersions version 3 or later. The epoch is
// the index of the metadata log, as in Kafka: clients only ask that it does not
// go back. A feature that is not finalized is left out of those that are.
func addFeatures(response *kmsg.ApiVersionsResponse, image *metadata.Image, version int16) {
	response.FinalizedFeaturesEpoch = image.Index()
	for _, f := range metadata.Features() {
		if f.Min > 0 || version >= levelZeroSince {
			supported := kmsg.NewApiVersionsResponseSupportedFeature()
			supported.Name, supported.MinVersion, supported.MaxVersion = f.Name, f.Min, f.Max
			response.SupportedFeatures = append(response.SupportedFeatures, supported)
		}
		if level := image.FeatureLevel(f.Name); level > 0 {
			finalized := kmsg.NewApiVersionsResponseFinalizedFeature()
			finalized.Name, finalized.MinVersionLevel, finalized.MaxVersionLevel = f.Name, level, level
			response.FinalizedFeatures = append(response.FinalizedFeatures, finalized)
		}
	}
}
