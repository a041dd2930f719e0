package metadata

import (
	"maps"
	"slices"
	"strconv"

	"odradek.dev/sdk/module"
)

// ResourceType is what configs are set on, numbered as in the Kafka protocol.
type ResourceType int8

// The types whose configs are metadata.
const (
	TopicResource         ResourceType = 2
	BrokerResource        ResourceType = 4
	ClientMetricsResource ResourceType = 16
	GroupResource         ResourceType = 32
)

// Resource is a topic, a group or a subscription by its name, a broker by its
// number, or all brokers if the name is empty.
type Resource struct {
	Type ResourceType
	Name string
}

// AllBrokers is what is set for all brokers while they run.
func AllBrokers() Resource { return Resource{Type: BrokerResource} }

// OneBroker is what is set for one broker while it runs.
func OneBroker(id int32) Resource {
	return Resource{BrokerResource, strconv.FormatInt(int64(id), 10)}
}

// OneGroup is what is set for a consumer group.
func OneGroup(id string) Resource { return Resource{GroupResource, id} }

// Configs is what is set on a resource, nil for nothing. The map must not be
// modified. As long as nothing changes it is the same map.
func (i *Image) Configs(r Resource) map[string]string {
	if r.Type != TopicResource {
		return i.configs[r]
	}
	if topic, found := i.Topic(r.Name); found {
		return topic.Configs
	}
	return nil
}

// BrokerConfigs is what is set while brokers run: for all of them, and for one,
// which goes first. See [Image.Configs].
func (i *Image) BrokerConfigs(id int32) (forAll, own map[string]string) {
	return i.Configs(AllBrokers()), i.Configs(OneBroker(id))
}

// Configured lists the resources of a type that have something set, in no
// order. It knows no topics.
func (i *Image) Configured(t ResourceType) []string {
	var names []string
	for r := range i.configs {
		if r.Type == t {
			names = append(names, r.Name)
		}
	}
	return names
}

// ResourceConfigured replaces what is set on a resource that is no topic.
type ResourceConfigured struct {
	Type    ResourceType      `json:"resource_type"`
	Name    string            `json:"name,omitempty"`
	Configs map[string]string `json:"configs"`
	// MinInSync is, for all brokers, what topics have from now on that set no
	// min.insync.replicas; 0 if that stays as it is.
	MinInSync int32 `json:"min_in_sync,omitempty"`
}

func (r *ResourceConfigured) change(i *Image) error {
	if r.Type == TopicResource {
		return module.Fatalf("topic %q is configured as something else", r.Name)
	}
	configs := maps.Clone(i.configs)
	if configs == nil {
		configs = map[Resource]map[string]string{}
	}
	if at := (Resource{r.Type, r.Name}); len(r.Configs) == 0 {
		delete(configs, at)
	} else {
		configs[at] = maps.Clone(r.Configs)
	}
	i.configs = configs
	if r.MinInSync > 0 {
		i.setMinInSync(r.MinInSync)
	}
	return nil
}

func (i *Image) setMinInSync(n int32) {
	byName, byID := i.byName.Txn(), i.byID.Txn()
	for topic := range i.Topics() {
		if _, own := topic.Configs[minInSync]; own {
			continue
		}
		if changed := topic.withMinInSync(n); changed != topic {
			byName.Insert([]byte(topic.Name), changed)
			byID.Insert(topic.ID[:], changed)
		}
	}
	i.byName, i.byID = byName.Commit(), byID.Commit()
	i.touchAll()
}

const minInSync = "min.insync.replicas"

// withMinInSync returns t itself if all its partitions have it so.
func (t *Topic) withMinInSync(n int32) *Topic {
	changed := t
	for p := range t.Partitions {
		if t.Partitions[p].Record.MinInSync == n {
			continue
		}
		if changed == t {
			copied := *t
			copied.Partitions = slices.Clone(t.Partitions)
			changed = &copied
		}
		changed.Partitions[p].Record.MinInSync = n
		changed.Partitions[p].Record.Version++
	}
	return changed
}
