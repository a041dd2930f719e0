package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"

	"odradek.dev/sdk/module"
)

// kind names a type of record in the log. version is the newest there is, the
// one that is written.
type kind struct {
	name    string
	version int
}

func (*ClusterNamed) kind() kind         { return kind{"cluster", 0} }
func (*BrokerRegistered) kind() kind     { return kind{"broker", 0} }
func (*LeaderRestarted) kind() kind      { return kind{"leader_restarted", 0} }
func (*TopicCreated) kind() kind         { return kind{"topic", 0} }
func (*PartitionsAdded) kind() kind      { return kind{"partitions_added", 0} }
func (*PartitionChanged) kind() kind     { return kind{"partition", 0} }
func (*TopicConfigured) kind() kind      { return kind{"topic_configs", 1} }
func (*ResourceConfigured) kind() kind   { return kind{"resource_configs", 0} }
func (*TopicDeleted) kind() kind         { return kind{"topic_deleted", 0} }
func (*ProducerIDsAllocated) kind() kind { return kind{"producer_ids", 0} }
func (*FeatureFinalized) kind() kind     { return kind{"feature", 0} }
func (*DirectoriesKnown) kind() kind     { return kind{"broker_directories", 0} }

// blankRecords is one of each type, to be decoded into.
func blankRecords() []Record {
	return []Record{
		&ClusterNamed{}, &BrokerRegistered{}, &LeaderRestarted{}, &TopicCreated{}, &PartitionsAdded{},
		&PartitionChanged{}, &TopicConfigured{}, &ResourceConfigured{}, &TopicDeleted{}, &ProducerIDsAllocated{},
		&FeatureFinalized{}, &DirectoriesKnown{},
	}
}

type envelope struct {
	Type    string          `json:"type"`
	Version int             `json:"version"`
	Body    json.RawMessage `json:"body"`
}

// Encode returns the record as it stands in the log.
func Encode(r Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode metadata record %T: %w", r, err)
	}
	return json.Marshal(envelope{Type: r.kind().name, Version: r.kind().version, Body: body})
}

// Decode reads what [Encode] wrote. Errors are fatal.
func Decode(data []byte) (Record, error) {
	var e envelope
	if err := strictly(data, &e); err != nil {
		return nil, module.Fatalf("metadata record is not readable: %w", err)
	}
	for _, record := range blankRecords() {
		k := record.kind()
		if k.name != e.Type {
			continue
		}
		if e.Version < 0 || e.Version > k.version {
			return nil, module.Fatalf("metadata record %q has version %d and this broker reads versions up to %d: start the release that wrote it, or a later one", e.Type, e.Version, k.version)
		}
		if err := strictly(e.Body, record); err != nil {
			return nil, module.Fatalf("metadata record %q version %d is not readable: %w", e.Type, e.Version, err)
		}
		return record, nil
	}
	return nil, module.Fatalf("metadata record type %q is unknown to this broker: start the release that wrote it, or a later one", e.Type)
}

// strictly decodes one JSON value that has no field which into has not, and
// nothing after it.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("there is more after the value that ends at byte %d", d.InputOffset())
	}
	return nil
}
