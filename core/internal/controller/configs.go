package controller

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// AlterConfigs changes the configs of each of the resources, or says why not;
// the refusals are in order, nil for what is done. With validateOnly they say
// what would come of it.
func (c *Controller) AlterConfigs(ctx context.Context, changes []metadata.ConfigChange, validateOnly bool) []*refusal.Refusal {
	refusals, err := change(ctx, c, func(i *metadata.Image) ([]metadata.Record, []*refusal.Refusal) {
		records, refusals := metadata.AlterConfigs(i, c.options.rules(i), changes)
		if validateOnly {
			records = nil
		}
		return records, refusals
	})
	if err != nil {
		refusals = make([]*refusal.Refusal, len(changes))
		for n := range refusals {
			refusals[n] = refusalOf(err)
		}
	}
	return refusals
}

// current is the broker's configuration with what is set while it runs.
func (o *Options) current(i *metadata.Image) *config.Broker {
	return o.Config.With(i.Configs(metadata.AllBrokers()), i.Configs(metadata.OneBroker(o.Config.NodeID)))
}

func (o *Options) configRules() metadata.ConfigRules {
	return metadata.ConfigRules{
		ListDefault: func(r metadata.Resource, name string) (string, bool) {
			switch r.Type {
			case metadata.TopicResource:
				return config.TopicList(name)
			case metadata.ClientMetricsResource:
				return config.ClientMetricsList(name)
			}
			return config.BrokerList(o.Config, name)
		},
		Check: checkConfigs,
		MinInSync: func(forAll map[string]string) int32 {
			return o.Config.With(forAll, nil).Topic.MinInSyncReplicas
		},
	}
}

// checkConfigs looks at those that change only: what another release let
// through must not keep people from changing the rest.
func checkConfigs(r metadata.Resource, configs map[string]string, changed []string) *refusal.Refusal {
	values := make(map[string]string, len(changed))
	for _, name := range changed {
		values[name] = configs[name]
	}
	if r.Type == metadata.ClientMetricsResource {
		if err := config.CheckClientMetrics(values); err != nil {
			return refusal.New(kerr.InvalidRequest, "%v", err)
		}
		return nil
	}
	forAll := r == metadata.AllBrokers()
	if _, alone := values["min.insync.replicas"]; alone && !forAll {
		return refusal.New(kerr.InvalidConfig,
			"min.insync.replicas: cannot be set for one broker, since a partition has it wherever its leader is; set it for all brokers or for a topic")
	}
	return brokerRefusal(config.CheckDynamic(values, forAll))
}

// brokerRefusal has the codes of Kafka, in which a wrong value of a topic is an
// invalid config, and one of a broker an invalid request. A name that nobody
// knows, which Kafka takes and forgets, is an invalid config of both.
func brokerRefusal(err error) *refusal.Refusal {
	var unknown *config.UnknownNameError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return refusal.New(kerr.InvalidConfig, "%v", err)
	}
	return refusal.New(kerr.InvalidRequest, "%v", err)
}
