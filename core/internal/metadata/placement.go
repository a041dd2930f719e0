package metadata

import (
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// place spreads the replicas of partitions first, first+1, ... over the live
// brokers. Leaders go round the brokers, from where the topic's random id says,
// so that the first partitions of many topics do not meet on one broker; the
// other replicas follow at a distance that grows each time around, so that the
// partitions that one broker leads do not all share their second replica.
func place(id TopicID, live []int32, first, count int32, factor int16) ([][]int32, *refusal.Refusal) {
	if int(factor) > len(live) {
		return nil, refusal.New(kerr.InvalidReplicationFactor, "replication factor %d is larger than the number of brokers that can take replicas, %d", factor, len(live))
	}
	n := int64(len(live))
	start := int64(binary.BigEndian.Uint32(id[:4]))
	placed := make([][]int32, count)
	for p := range placed {
		turn := start + int64(first) + int64(p)
		replicas := make([]int32, factor)
		replicas[0] = live[turn%n]
		for r := int64(1); r < int64(factor); r++ {
			distance := 1 + (turn/n+r-1)%(n-1)
			replicas[r] = live[(turn+distance)%n]
		}
		placed[p] = replicas
	}
	return placed, nil
}

// checkReplicas holds one partition's replicas, placed by hand, to what can be.
func checkReplicas(partition int32, replicas []int32, factor int, brokers []Broker) *refusal.Refusal {
	if len(replicas) == 0 {
		return refusal.New(kerr.InvalidReplicaAssignment, "partition %d is assigned no replica", partition)
	}
	if len(replicas) != factor {
		return refusal.New(kerr.InvalidReplicaAssignment, "partition %d is assigned %d replicas, but %d are asked for in the others", partition, len(replicas), factor)
	}
	for n, node := range replicas {
		if slices.Contains(replicas[:n], node) {
			return refusal.New(kerr.InvalidReplicaAssignment, "partition %d is assigned twice to broker %d", partition, node)
		}
		if _, known := findBroker(brokers, node); !known {
			return refusal.New(kerr.InvalidReplicaAssignment, "partition %d is assigned to broker %d, which is not registered", partition, node)
		}
	}
	return nil
}
