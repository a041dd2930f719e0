package metadata

import "odradek.dev/sdk/replication"

// Record is one change of the metadata: one of the types of this file. In the
// log it is JSON, an envelope with the type's name and version around it:
//
//	{"type":"topic_deleted","version":0,"body":{"topic_id":"..."}}
//
// A type's version goes up when a field is added, whose zero value says what
// held before: a broker reads every version up to its own. What cannot be said
// so is a new type. A broker that finds a type, a later version or a field that
// it does not know stops: going on without it would give it another image than
// the other brokers have.
type Record interface {
	// kind names the type in the log.
	kind() kind
	// change makes an image that nobody else has seen reflect the record. It
	// fails if the record does not fit the image.
	change(*Image) error
}

// ClusterNamed gives the cluster its id. It is the first record of a log, and
// comes once.
type ClusterNamed struct {
	ClusterID string `json:"cluster_id"`
}

// BrokerRegistered is a broker's start, with what it tells clients.
type BrokerRegistered struct {
	ID        int32              `json:"id"`
	Epoch     int64              `json:"epoch"`
	Rack      string             `json:"rack,omitempty"`
	Listeners []listenerEndpoint `json:"listeners"`
}

// LeaderRestarted raises the leader epoch, and the version, of every partition
// that Leader leads: what the earlier incarnation wrote and nobody else has
// must not pass for the new one's. It is one record however many they are.
type LeaderRestarted struct {
	Leader int32 `json:"leader"`
}

// TopicCreated is a topic with all its partitions, 0, 1, 2, ...
type TopicCreated struct {
	TopicID    TopicID           `json:"topic_id"`
	Name       string            `json:"name"`
	Strategy   string            `json:"strategy"`
	Configs    map[string]string `json:"configs,omitempty"`
	Partitions []partitionState  `json:"partitions"`
}

// PartitionsAdded are further partitions, numbered on from the last.
type PartitionsAdded struct {
	TopicID    TopicID          `json:"topic_id"`
	Partitions []partitionState `json:"partitions"`
}

// PartitionChanged is a new version of one partition's record.
type PartitionChanged struct {
	TopicID   TopicID        `json:"topic_id"`
	Partition int32          `json:"partition"`
	State     partitionState `json:"state"`
}

// TopicConfigured replaces what is set on a topic.
type TopicConfigured struct {
	TopicID TopicID           `json:"topic_id"`
	Configs map[string]string `json:"configs"`
	// MinInSync is that of the topic's partitions from now on; 0 if it stays
	// as it is.
	MinInSync int32 `json:"min_in_sync,omitempty"`
}

// TopicDeleted removes a topic and its partitions.
type TopicDeleted struct {
	TopicID TopicID `json:"topic_id"`
}

// ProducerIDsAllocated hands the ids from First up to, but without, Next to a
// broker.
type ProducerIDsAllocated struct {
	Broker int32 `json:"broker"`
	First  int64 `json:"first"`
	Next   int64 `json:"next"`
}

// listenerEndpoint is an [Endpoint] in the log.
type listenerEndpoint struct {
	Listener string `json:"listener"`
	Host     string `json:"host"`
	Port     int32  `json:"port"`
}

// partitionState is a [replication.Record] in the log.
type partitionState struct {
	Version     int64   `json:"version"`
	Leader      int32   `json:"leader"`
	LeaderEpoch int32   `json:"leader_epoch"`
	Replicas    []int32 `json:"replicas"`
	InSync      []int32 `json:"in_sync"`
	MinInSync   int32   `json:"min_in_sync"`
	Opaque      []byte  `json:"opaque,omitempty"`
}

func (s partitionState) partition() Partition { return Partition{Record: replication.Record(s)} }
