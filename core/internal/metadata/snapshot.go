package metadata

import (
	"cmp"
	"encoding/json"
	"slices"

	"odradek.dev/sdk/module"
)

// snapshotVersion goes up as the version of a record does.
const snapshotVersion = 3

// snapshot is an image as it is kept in place of the records that led to it.
type snapshot struct {
	Version        int                `json:"version"`
	ClusterID      string             `json:"cluster_id"`
	NextProducerID int64              `json:"next_producer_id"`
	Brokers        []BrokerRegistered `json:"brokers"`
	Topics         []TopicCreated     `json:"topics"`
	// Resources came with version 1.
	Resources []ResourceConfigured `json:"resources,omitempty"`
	// Features came with version 2.
	Features map[string]int16 `json:"features,omitempty"`
	// Directories came with version 3.
	Directories []DirectoriesKnown `json:"directories,omitempty"`
}

// EncodeSnapshot returns the image without its index, which the log keeps
// beside it.
func EncodeSnapshot(i *Image) ([]byte, error) {
	s := snapshot{Version: snapshotVersion, ClusterID: i.clusterID, NextProducerID: i.nextProducerID, Features: i.features}
	for _, b := range i.brokers {
		s.Brokers = append(s.Brokers, *registration(b))
	}
	for t := range i.Topics() {
		s.Topics = append(s.Topics, TopicCreated{
			TopicID: t.ID, Name: t.Name, Strategy: t.Strategy, Configs: t.Configs, Partitions: statesOf(t.Partitions),
		})
	}
	s.Resources = i.resources()
	s.Directories = i.directories()
	return json.Marshal(s)
}

// DecodeSnapshot returns the image that was encoded, at the index of the last
// record that it stands for. Errors are fatal.
func DecodeSnapshot(index int64, state []byte) (*Image, error) {
	var header struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(state, &header); err != nil {
		return nil, module.Fatalf("metadata snapshot at record %d is not readable: %w", index, err)
	}
	if header.Version < 0 || header.Version > snapshotVersion {
		return nil, module.Fatalf("metadata snapshot at record %d has version %d and this broker reads versions up to %d: start the release that wrote it, or a later one", index, header.Version, snapshotVersion)
	}
	var s snapshot
	if err := strictly(state, &s); err != nil {
		return nil, module.Fatalf("metadata snapshot at record %d is not readable: %w", index, err)
	}
	i := Empty()
	i.index, i.clusterID, i.nextProducerID = index, s.ClusterID, s.NextProducerID
	for _, r := range s.records() {
		if err := r.change(i); err != nil {
			return nil, module.Fatalf("metadata snapshot at record %d: %w", index, err)
		}
	}
	i.touchAll()
	return i, nil
}

// records are what leads to the image, but for what it counts.
func (s *snapshot) records() []Record {
	var all []Record
	for name, level := range s.Features {
		all = append(all, &FeatureFinalized{Name: name, Level: level})
	}
	for n := range s.Brokers {
		all = append(all, &s.Brokers[n])
	}
	for n := range s.Directories {
		all = append(all, &s.Directories[n])
	}
	for n := range s.Topics {
		all = append(all, &s.Topics[n])
	}
	for n := range s.Resources {
		all = append(all, &s.Resources[n])
	}
	return all
}

// resources ascend by type and name, so that one image has one snapshot.
func (i *Image) resources() []ResourceConfigured {
	var all []ResourceConfigured
	for at, configs := range i.configs {
		all = append(all, ResourceConfigured{Type: at.Type, Name: at.Name, Configs: configs})
	}
	slices.SortFunc(all, func(a, b ResourceConfigured) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func statesOf(partitions []Partition) []partitionState {
	states := make([]partitionState, len(partitions))
	for n, p := range partitions {
		states[n] = partitionState(p.Record)
	}
	return states
}
