package metadata

import (
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// ConfigChange asks for other configs of a resource.
type ConfigChange struct {
	Resource Resource
	// Replace says that what no operation sets is removed.
	Replace    bool
	Operations []ConfigOperation
}

// ConfigOperation changes one config.
type ConfigOperation struct {
	Name string
	Kind OperationKind
	// Value is nil for the null of the protocol.
	Value *string
}

// OperationKind is numbered as in IncrementalAlterConfigs (KIP-339).
type OperationKind int8

// The kinds. Appending and subtracting is for lists.
const (
	SetConfig OperationKind = iota
	DeleteConfig
	AppendConfig
	SubtractConfig
)

// ConfigRules is what the definitions of configs have to say.
type ConfigRules struct {
	// ListDefault is the default of a config that is a list; false for others.
	ListDefault func(r Resource, name string) (string, bool)
	// Check holds what would be set on a resource that is no topic against
	// what is allowed. changed are the names that get another value.
	Check func(r Resource, configs map[string]string, changed []string) *refusal.Refusal
	// MinInSync is what topics without a min.insync.replicas of their own have,
	// if this is set for all brokers.
	MinInSync func(forAll map[string]string) int32
}

// AlterConfigs plans changes, each resource on its own: all operations on it
// are done, or none and the refused says why. The refusals are in the order of
// the changes, nil for what is done.
func AlterConfigs(i *Image, rules Rules, changes []ConfigChange) ([]Record, []*refusal.Refusal) {
	var records []Record
	refusals := make([]*refusal.Refusal, len(changes))
	for n, change := range changes {
		record, refused := alterConfigs(i, rules, change)
		if refused == nil && record != nil {
			records = append(records, record)
			i, refused = after(i, record)
		}
		refusals[n] = refused
	}
	return records, refusals
}

// alterConfigs returns no record if all stays as it is.
func alterConfigs(i *Image, rules Rules, change ConfigChange) (Record, *refusal.Refusal) {
	r := change.Resource
	before := i.Configs(r)
	next, refused := altered(before, rules.Configs, change)
	if refused != nil {
		return nil, refused
	}
	if f := checkResource(r); f != nil {
		return nil, f
	}
	if r.Type == TopicResource {
		return configureTopic(i, rules, r.Name, next)
	}
	if f := rules.Configs.Check(r, next, differing(before, next)); f != nil {
		return nil, f
	}
	if maps.Equal(before, next) {
		return nil, nil
	}
	record := &ResourceConfigured{Type: r.Type, Name: r.Name, Configs: next}
	if r == AllBrokers() && before[minInSync] != next[minInSync] {
		record.MinInSync = rules.Configs.MinInSync(next)
	}
	return record, nil
}

// checkResource holds a resource's name to what it may be. That there is such a
// topic comes after its configs: so Kafka names the fault that is in the request
// itself first.
func checkResource(r Resource) *refusal.Refusal {
	switch r.Type {
	case TopicResource:
		if r.Name == "" {
			return refusal.New(kerr.InvalidRequest, "configs are set on one topic, not on all; name it")
		}
		return CheckTopicName(r.Name)
	case ClientMetricsResource:
		if r.Name == "" {
			return refusal.New(kerr.InvalidRequest, "a subscription to client metrics needs a name")
		}
	case GroupResource:
		if r.Name == "" {
			return refusal.New(kerr.InvalidRequest, "configs are set on one group, not on all; name it, or set the broker's group configs")
		}
	}
	return nil
}

// altered carries out the operations of a change on what is set.
func altered(before map[string]string, rules ConfigRules, change ConfigChange) (map[string]string, *refusal.Refusal) {
	next := map[string]string{}
	if !change.Replace {
		maps.Copy(next, before)
	}
	if f := checkOperations(change.Operations); f != nil {
		return nil, f
	}
	for _, o := range change.Operations {
		if f := o.carryOut(next, rules, change.Resource); f != nil {
			return nil, f
		}
	}
	return next, nil
}

// checkOperations holds operations to what can be said of them whatever they
// are about. As in Kafka, these faults are found before others.
func checkOperations(all []ConfigOperation) *refusal.Refusal {
	seen := make(map[string]bool, len(all))
	for _, o := range all {
		if seen[o.Name] {
			return refusal.New(kerr.InvalidRequest, "%s: the request names this config more than once", o.Name)
		}
		seen[o.Name] = true
	}
	for _, o := range all {
		if o.Value == nil && o.Kind != DeleteConfig {
			return refusal.New(kerr.InvalidRequest, "%s: null is not a value; delete the config to have the default", o.Name)
		}
	}
	return nil
}

func (o ConfigOperation) carryOut(configs map[string]string, rules ConfigRules, r Resource) *refusal.Refusal {
	switch o.Kind {
	case DeleteConfig:
		delete(configs, o.Name)
		return nil
	case SetConfig:
		configs[o.Name] = *o.Value
		return nil
	case AppendConfig, SubtractConfig:
	default:
		return refusal.New(kerr.InvalidRequest, "%s: operation %d does not exist; 0 sets, 1 deletes, 2 appends and 3 subtracts", o.Name, o.Kind)
	}
	standard, isList := rules.ListDefault(r, o.Name)
	if !isList {
		return refusal.New(kerr.InvalidConfig, "%s: nothing can be appended or subtracted, since it is not a list", o.Name)
	}
	if now, set := configs[o.Name]; set {
		standard = now
	}
	configs[o.Name] = o.edit(standard)
	return nil
}

// edit appends to a list what is not in it, or takes away what is.
func (o ConfigOperation) edit(list string) string {
	items := splitList(list)
	for _, item := range splitList(*o.Value) {
		at := slices.Index(items, item)
		switch {
		case o.Kind == AppendConfig && at < 0:
			items = append(items, item)
		case o.Kind == SubtractConfig && at >= 0:
			items = slices.Delete(items, at, at+1)
		}
	}
	return strings.Join(items, ",")
}

func splitList(list string) []string {
	var items []string
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// differing are the names that have another value in next, ascending.
func differing(before, next map[string]string) []string {
	var names []string
	for name, value := range next {
		if was, set := before[name]; !set || was != value {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

const strategyConfig = "replication.strategy"

// configureTopic leaves a topic the strategy that it was created with, also
// where a client that knows nothing of strategies replaces its configs.
func configureTopic(i *Image, rules Rules, name string, configs map[string]string) (Record, *refusal.Refusal) {
	topic, found := i.Topic(name)
	asked, named := configs[strategyConfig]
	if found && !named {
		if was, set := topic.Configs[strategyConfig]; set {
			configs[strategyConfig] = was
		}
	}
	settled, err := rules.Settle(configs)
	switch {
	case err != nil:
		return nil, refusal.New(kerr.InvalidConfig, "%v", err)
	case !found:
		return nil, unknownTopic(name)
	case named && asked != topic.Strategy:
		return nil, refusal.New(kerr.InvalidConfig, "%s: topic %q stays with the strategy %q that it was created with", strategyConfig, name, topic.Strategy)
	case maps.Equal(topic.Configs, configs):
		return nil, nil
	}
	return &TopicConfigured{TopicID: topic.ID, Configs: configs, MinInSync: settled.MinInSync}, nil
}
