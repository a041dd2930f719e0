package kafka

import (
	"context"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// describeConfigs serves DescribeConfigs, versions 1 to 4, of topics and of
// this broker. Synonyms and, from version 3, documentation come when they are
// asked for (KIP-226, KIP-569). A broker with an empty name is what is set for
// all brokers at run time, which is nothing yet.
func describeConfigs(_ context.Context, b *Backend, _ *Caller, req *kmsg.DescribeConfigsRequest) *kmsg.DescribeConfigsResponse {
	resp := kmsg.NewPtrDescribeConfigsResponse()
	for _, asked := range req.Resources {
		r := kmsg.NewDescribeConfigsResponseResource()
		r.ResourceType, r.ResourceName = asked.ResourceType, asked.ResourceName
		entries, failure := describeResource(b, asked)
		r.ErrorCode, r.ErrorMessage = outcome(failure)
		if failure == nil {
			r.ErrorMessage = kmsg.StringPtr("") // Kafka's, and clients rely on it
		}
		for _, e := range entries {
			if len(asked.ConfigNames) == 0 || slices.Contains(asked.ConfigNames, e.Definition.Name) {
				r.Configs = append(r.Configs, describedConfig(e, req))
			}
		}
		resp.Resources = append(resp.Resources, r)
	}
	return resp
}

func describeResource(b *Backend, asked kmsg.DescribeConfigsRequestResource) ([]config.Entry, *metadata.Failure) {
	switch asked.ResourceType {
	case kmsg.ConfigResourceTypeTopic:
		topic, found := b.Controller.Image().Topic(asked.ResourceName)
		if !found {
			return nil, metadata.Failf(kerr.UnknownTopicOrPartition, "there is no topic %q", asked.ResourceName)
		}
		return config.DescribeTopic(b.Config, topic.Configs), nil
	case kmsg.ConfigResourceTypeBroker:
		return describeBroker(b.Config, asked.ResourceName)
	default:
		return nil, metadata.Failf(kerr.InvalidRequest, "configs of resource type %d are not served; topics (2) and brokers (4) are", asked.ResourceType)
	}
}

func describeBroker(broker *config.Broker, name string) ([]config.Entry, *metadata.Failure) {
	if name == "" {
		return nil, nil
	}
	id, err := strconv.ParseInt(name, 10, 32)
	switch {
	case err != nil:
		return nil, metadata.Failf(kerr.InvalidRequest, "broker %q is not a node id", name)
	case int32(id) != broker.NodeID:
		return nil, metadata.Failf(kerr.InvalidRequest, "the configs of broker %d were asked of broker %d; each broker describes its own", id, broker.NodeID)
	}
	return config.DescribeBroker(broker), nil
}

func describedConfig(e config.Entry, req *kmsg.DescribeConfigsRequest) kmsg.DescribeConfigsResponseResourceConfig {
	c := kmsg.NewDescribeConfigsResponseResourceConfig()
	c.Name, c.Value = e.Definition.Name, shownValue(e)
	c.ReadOnly, c.IsSensitive = e.Definition.ReadOnly, e.Definition.Sensitive
	c.Source, c.ConfigType = kmsg.ConfigSource(e.Source), kmsg.ConfigType(e.Definition.Type)
	if req.IncludeDocumentation {
		c.Documentation = &e.Definition.Doc
	}
	if !req.IncludeSynonyms {
		return c
	}
	for _, s := range e.Synonyms {
		synonym := kmsg.NewDescribeConfigsResponseResourceConfigConfigSynonym()
		synonym.Name, synonym.Source = s.Name, kmsg.ConfigSource(s.Source)
		if !e.Definition.Sensitive {
			synonym.Value = &s.Value
		}
		c.ConfigSynonyms = append(c.ConfigSynonyms, synonym)
	}
	return c
}
