package controller

import (
	"context"

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
	for n, refused := range refusals {
		if refused == nil && !validateOnly {
			c.warnOfUnknown(changes[n])
		}
	}
	return refusals
}

// warnOfUnknown tells of names that are kept and described, since Kafka takes
// them too, and that change nothing.
func (c *Controller) warnOfUnknown(change metadata.ConfigChange) {
	if change.Resource.Type != metadata.BrokerResource {
		return
	}
	for _, o := range change.Operations {
		if err := config.CheckKnown(o.Name); err != nil && o.Kind == metadata.SetConfig {
			c.options.Log.Warn("a config was set on brokers that nothing here knows, so that it changes nothing", "broker", change.Resource.Name, "error", err)
		}
	}
}

// current is the broker's configuration with what is set while it runs.
func (o *Options) current(i *metadata.Image) *config.Broker {
	return o.Config.With(i.BrokerConfigs(o.Config.NodeID))
}

func (o *Options) configRules(current *config.Broker) metadata.ConfigRules {
	return metadata.ConfigRules{
		ListDefault: func(r metadata.Resource, name string) (string, bool) {
			switch r.Type {
			case metadata.TopicResource:
				return config.TopicList(name)
			case metadata.ClientMetricsResource:
				return config.ClientMetricsList(name)
			case metadata.GroupResource:
				return "", false // as with Kafka, to none of them can be appended
			}
			return config.BrokerList(o.Config, name)
		},
		Check: func(r metadata.Resource, configs map[string]string, changed []string) *refusal.Refusal {
			if r.Type == metadata.GroupResource {
				return groupRefusal(current.CheckGroup(configs))
			}
			return checkConfigs(r, configs, changed)
		},
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

// groupRefusal is for all that is set on a group, since some of it holds only
// together.
func groupRefusal(err error) *refusal.Refusal {
	if err == nil {
		return nil
	}
	return refusal.New(kerr.InvalidConfig, "%v", err)
}

// brokerRefusal has the code of Kafka, in which a wrong value of a topic is an
// invalid config, and one of a broker an invalid request.
func brokerRefusal(err error) *refusal.Refusal {
	if err == nil {
		return nil
	}
	return refusal.New(kerr.InvalidRequest, "%v", err)
}
