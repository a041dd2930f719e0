package kafka

import (
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// loggerResource is of the loggers of a broker, whose levels are no metadata.
const loggerResource = metadata.ResourceType(kmsg.ConfigResourceTypeBrokerLogger)

// checkResource refuses what has no configs in the metadata. A broker's are set
// at that broker.
func checkResource(b *config.Broker, r metadata.Resource) *refusal.Refusal {
	switch {
	case r == metadata.AllBrokers() || r.Type == metadata.TopicResource || r.Type == metadata.ClientMetricsResource:
		return nil
	case r.Type == metadata.BrokerResource || r.Type == loggerResource:
		return checkOwn(b, r.Name)
	case r.Type == metadata.GroupResource && r.Name == "":
		return refusal.New(kerr.InvalidRequest, "configs are of one group, not of all; name it")
	case r.Type == metadata.GroupResource:
		return nil
	}
	return noSuchType(r.Type)
}

// isConfigurable: resources of the type may have configs.
func isConfigurable(t metadata.ResourceType) bool {
	switch t {
	case metadata.TopicResource, metadata.BrokerResource, metadata.ClientMetricsResource, metadata.GroupResource, loggerResource:
		return true
	}
	return false
}

func noSuchType(t metadata.ResourceType) *refusal.Refusal {
	return refusal.New(kerr.InvalidRequest,
		"resource type %d does not exist; topics are 2, brokers 4, their loggers 8, client metrics 16, groups 32", t)
}

func checkOwn(b *config.Broker, name string) *refusal.Refusal {
	id, err := strconv.ParseInt(name, 10, 32)
	switch {
	case err != nil:
		return refusal.New(kerr.InvalidRequest, "broker %q is not a node id", name)
	case int32(id) != b.NodeID:
		return refusal.New(kerr.InvalidRequest, "this is about broker %d and was asked of broker %d; ask that one", id, b.NodeID)
	}
	return nil
}

// shownValue is null for secrets and for what has no value.
func shownValue(e config.Entry) *string {
	if e.Null || e.Definition.Sensitive {
		return nil
	}
	return &e.Value
}
