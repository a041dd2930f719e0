// Package ranges is the assignor range: of each topic a member gets
// neighbouring partitions, as Kafka's RangeAssignor gives them: that of the
// broker (KIP-848), or with rack.aware that of the Java client.
//
// Topics of equal numbers of partitions and equal subscribers are assigned
// alike, so that a member can join their records. With rack.aware, where
// members and replicas have racks and not every partition is in every rack, a
// member gets partitions of its own rack first (KIP-881).
//
// The package is not called range because Go has that word.
package ranges
