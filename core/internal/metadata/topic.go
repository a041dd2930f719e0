package metadata

import (
	"encoding/base64"
	"fmt"

	"odradek.dev/sdk/replication"
)

// TopicID is a random UUID; the zero value is no topic.
type TopicID [16]byte

// String is the id as Kafka's tools print it: 22 characters of base64url.
func (id TopicID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// ParseTopicID reads what [TopicID.String] wrote.
func ParseTopicID(text string) (TopicID, error) {
	var id TopicID
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(id) {
		return id, fmt.Errorf("topic id %q is not 22 characters of base64url", text)
	}
	copy(id[:], raw)
	return id, nil
}

// MarshalText makes an id readable in the log.
func (id TopicID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *TopicID) UnmarshalText(text []byte) error {
	parsed, err := ParseTopicID(string(text))
	if err == nil {
		*id = parsed
	}
	return err
}

// Topic is one topic. It does not change: an image with a change has another.
type Topic struct {
	Name string
	ID   TopicID
	// Configs is what was set on the topic itself.
	Configs map[string]string
	// Strategy names the replication module.
	Strategy   string
	Partitions []Partition
}

// Partition is one partition of a topic.
type Partition struct {
	Record replication.Record
}

// ReplicationFactor is how many replicas the first partition has, which is
// what the topic was created with.
func (t *Topic) ReplicationFactor() int16 {
	if len(t.Partitions) == 0 {
		return 0
	}
	return int16(len(t.Partitions[0].Record.Replicas))
}
