package kafka

import (
	"context"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// The types of resources that have no configs in the metadata.
const (
	loggerResource = metadata.ResourceType(kmsg.ConfigResourceTypeBrokerLogger)
	groupResource  = metadata.ResourceType(kmsg.ConfigResourceTypeGroupConfig)
)

// changeConfigsMs is for requests whose clients cannot say how long they wait.
const changeConfigsMs = 30_000

// changeConfigs makes each of the changes, or says why not, in order. A
// resource that is named more than once is refused each time.
func changeConfigs(ctx context.Context, b *Backend, changes []metadata.ConfigChange, validateOnly bool) []*metadata.Failure {
	ctx, cancel := withinTimeout(ctx, changeConfigsMs)
	defer cancel()

	count := make(map[metadata.Resource]int, len(changes))
	for _, change := range changes {
		count[change.Resource]++
	}
	failures := make([]*metadata.Failure, len(changes))
	var planned []metadata.ConfigChange
	var places []int
	for n, change := range changes {
		r := change.Resource
		switch {
		case count[r] > 1:
			failures[n] = metadata.Failf(kerr.InvalidRequest, "the request names resource %q of type %d more than once", r.Name, r.Type)
		case r.Type == loggerResource:
			failures[n] = changeLoggers(b, change, validateOnly)
		default:
			if failures[n] = checkResource(b.Config, r); failures[n] == nil {
				planned, places = append(planned, change), append(places, n)
			}
		}
	}
	if len(planned) == 0 {
		return failures
	}
	for n, failure := range b.Controller.AlterConfigs(ctx, planned, validateOnly) {
		failures[places[n]] = failure
	}
	return failures
}

// checkResource refuses what has no configs in the metadata. A broker's are set
// at that broker.
func checkResource(b *config.Broker, r metadata.Resource) *metadata.Failure {
	switch {
	case r == metadata.AllBrokers() || r.Type == metadata.TopicResource || r.Type == metadata.ClientMetricsResource:
		return nil
	case r.Type == metadata.BrokerResource || r.Type == loggerResource:
		return checkOwn(b, r.Name)
	case r.Type == groupResource:
		return metadata.Failf(kerr.InvalidRequest, "group %q has no configs: groups are not coordinated yet", r.Name)
	}
	return metadata.Failf(kerr.InvalidRequest,
		"resource type %d does not exist; topics are 2, brokers 4, their loggers 8, client metrics 16", r.Type)
}

func checkOwn(b *config.Broker, name string) *metadata.Failure {
	id, err := strconv.ParseInt(name, 10, 32)
	switch {
	case err != nil:
		return metadata.Failf(kerr.InvalidRequest, "broker %q is not a node id", name)
	case int32(id) != b.NodeID:
		return metadata.Failf(kerr.InvalidRequest, "this is about broker %d and was asked of broker %d; ask that one", id, b.NodeID)
	}
	return nil
}
