package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// Features are levels of what a cluster does that clients and brokers agree on
// (KIP-584). A client that sees none in ApiVersions takes all for level 0, and
// so does one that sees some, of those that are missing.

// feature is one that this broker has.
type feature struct {
	name string
	// min and max are the levels that it knows, level the one in force.
	min, max, level int16
}

// features are those in force. Kafka 4.4.0 finalizes six more by default. They
// are not here, since what they promise is not:
//
//	transaction.version   at 2, Java's producer leaves out AddPartitionsToTxn
//	                      and waits for another epoch from every EndTxn
//	group.version         KIP-848 heartbeats; clients go by API key 68
//	share.version         KIP-932; clients go by API key 76
//	streams.version       KIP-1071; clients go by API key 88
//	eligible.leader.replicas.version
//	                      KIP-966: out-of-sync replicas that may lead; Kafka
//	                      also sets min.insync.replicas for the cluster with it
//	kraft.version         at 1, voters come and go by AddRaftVoter
//
// metadata.version is what clients tell the version of Kafka by: 33 is 4.4-IV2.
// It names what the protocol can say of topics, brokers and configs. The records
// of the metadata log are Odradek's own, so that there is no lower level to go
// back to.
var features = []feature{
	{name: "metadata.version", min: 33, max: 33, level: 33},
}

func featureNamed(name string) (feature, bool) {
	for _, f := range features {
		if f.name == name {
			return f, true
		}
	}
	return feature{}, false
}

// addFeatures tells a client of ApiVersions version 3 or later. The epoch is
// the index of the metadata log, as in Kafka: clients only ask that it does not
// go back.
func addFeatures(response *kmsg.ApiVersionsResponse, epoch int64) {
	response.FinalizedFeaturesEpoch = epoch
	for _, f := range features {
		supported := kmsg.NewApiVersionsResponseSupportedFeature()
		supported.Name, supported.MinVersion, supported.MaxVersion = f.name, f.min, f.max
		response.SupportedFeatures = append(response.SupportedFeatures, supported)
		finalized := kmsg.NewApiVersionsResponseFinalizedFeature()
		finalized.Name, finalized.MinVersionLevel, finalized.MaxVersionLevel = f.name, f.level, f.level
		response.FinalizedFeatures = append(response.FinalizedFeatures, finalized)
	}
}
