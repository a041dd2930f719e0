package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// describeConfigsAPI is DescribeConfigs: of topics, of this broker and its
// loggers, of client metrics and of groups, whether they exist or not. Synonyms
// and, from version 3, documentation come when they are asked for (KIP-226,
// KIP-569). A broker with an empty name is what is set for all brokers while
// they run. One resource of a type that does not exist makes the whole request
// wrong.
func describeConfigsAPI() *api {
	return decoded(api{key: 32, name: "DescribeConfigs", min: 1, max: 4, flexibleFrom: 4}, describeConfigs,
		`resources:[type:int8 name:string keys:[string]?] synonyms:bool@1+ documentation:bool@3+`)
}

func describeConfigs(_ context.Context, b *Backend, _ *Caller, q *kmsg.DescribeConfigsRequest) *kmsg.DescribeConfigsResponse {
	response := kmsg.NewPtrDescribeConfigsResponse()
	var whole *refusal.Refusal
	for _, asked := range q.Resources {
		if t := metadata.ResourceType(asked.ResourceType); whole == nil && !isConfigurable(t) {
			whole = noSuchType(t)
		}
	}
	for _, asked := range q.Resources {
		r := kmsg.NewDescribeConfigsResponseResource()
		r.ResourceType, r.ResourceName = asked.ResourceType, asked.ResourceName
		var entries []config.Entry
		refused := whole
		if refused == nil {
			entries, refused = describeResource(b, asked)
		}
		r.ErrorCode, r.ErrorMessage = refused.Outcome()
		if refused == nil {
			r.ErrorMessage = kmsg.StringPtr("") // Kafka's, and clients rely on it
		}
		for _, e := range entries {
			if len(asked.ConfigNames) == 0 || slices.Contains(asked.ConfigNames, e.Definition.Name) {
				r.Configs = append(r.Configs, describedConfig(e, q))
			}
		}
		response.Resources = append(response.Resources, r)
	}
	return response
}

func describeResource(b *Backend, asked kmsg.DescribeConfigsRequestResource) ([]config.Entry, *refusal.Refusal) {
	r := metadata.Resource{Type: metadata.ResourceType(asked.ResourceType), Name: asked.ResourceName}
	if f := checkResource(b.Config, r); f != nil {
		return nil, f
	}
	image := b.Controller.Image()
	switch r.Type {
	case metadata.TopicResource:
		topic, found := image.Topic(r.Name)
		if found {
			return config.DescribeTopic(b.current(), topic.Configs), nil
		}
		if f := metadata.CheckTopicName(r.Name); f != nil {
			return nil, f
		}
		return nil, refusal.New(kerr.UnknownTopicOrPartition, "there is no topic %q", r.Name)
	case metadata.ClientMetricsResource:
		return config.DescribeClientMetrics(image.Configs(r)), nil
	case metadata.GroupResource:
		return b.current().DescribeGroup(image.Configs(r)), nil
	case loggerResource:
		return describeLoggers(b.Log), nil
	}
	if r == metadata.AllBrokers() {
		return config.DescribeAllBrokers(b.current()), nil
	}
	return config.DescribeBroker(b.current()), nil
}

func describedConfig(e config.Entry, q *kmsg.DescribeConfigsRequest) kmsg.DescribeConfigsResponseResourceConfig {
	c := kmsg.NewDescribeConfigsResponseResourceConfig()
	c.Name, c.Value = e.Definition.Name, shownValue(e)
	c.ReadOnly, c.IsSensitive = e.Definition.ReadOnly, e.Definition.Sensitive
	c.Source, c.ConfigType = kmsg.ConfigSource(e.Source), kmsg.ConfigType(e.Definition.Type)
	if q.IncludeDocumentation {
		c.Documentation = &e.Definition.Doc
	}
	if !q.IncludeSynonyms {
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
