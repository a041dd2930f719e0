// Package metadata is the cluster's metadata as pure values: records, the image
// that they lead to, and the plans that turn a request into records.
package metadata

import "odradek.dev/sdk/replication"

// TopicID is a random UUID; the zero value is no topic.
type TopicID [16]byte

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

// Broker is a broker that has registered.
type Broker struct {
	ID   int32
	Rack string
	// Epoch grows with every start of the broker.
	Epoch     int64
	Listeners []Endpoint
}

// Endpoint is what clients of one listener are told.
type Endpoint struct {
	Listener string
	Host     string
	Port     int32
}
