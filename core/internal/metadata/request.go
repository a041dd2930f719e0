package metadata

import "odradek.dev/core/internal/refusal"

// NewTopic asks for a topic.
type NewTopic struct {
	Name string
	// ID is what the topic will be known by: the controller fills it in, at
	// random, before it plans.
	ID TopicID
	// Partitions and ReplicationFactor are -1 for the broker's defaults, and
	// when there is an Assignment.
	Partitions        int32
	ReplicationFactor int16
	// Assignment places the replicas by hand; nil to have them placed.
	Assignment []Assigned
	Configs    map[string]string
	// NullConfigs are the names of configs that the request gives as null,
	// which is no value.
	NullConfigs []string
}

// Assigned says where the replicas of a partition are to be, the preferred
// leader first.
type Assigned struct {
	Partition int32
	Replicas  []int32
}

// TopicRef names an existing topic, by its id or, if that is zero, its name.
type TopicRef struct {
	Name string
	ID   TopicID
}

// NewPartitions asks for a topic to have Count partitions in all.
type NewPartitions struct {
	Topic string
	Count int32
	// Assignment places the replicas of the added partitions, in order; nil to
	// have them placed.
	Assignment [][]int32
}

// TopicResult answers one element of a request, in the request's order.
type TopicResult struct {
	Name string
	ID   TopicID
	// Refusal is nil if it was done, or would be in a request that validates
	// only.
	Refusal *refusal.Refusal
	// Partitions and ReplicationFactor are the topic's afterwards; -1 and -1
	// after a failure.
	Partitions        int32
	ReplicationFactor int16
	// Configs is what is set on the topic itself; the rest is the broker's.
	Configs map[string]string
}

// Refused is the answer to a request for topic that failed.
func Refused(topic string, id TopicID, f *refusal.Refusal) TopicResult {
	return TopicResult{Name: topic, ID: id, Refusal: f, Partitions: -1, ReplicationFactor: -1}
}
