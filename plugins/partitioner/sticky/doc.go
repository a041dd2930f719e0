// Package sticky places records as the default of Kafka's Java producer does
// (KIP-480 and KIP-794).
//
// A record with a key, the empty key too, goes to the partition that Java's
// murmur2 names. Records without a key go to one usable partition of their
// topic until they add up to batch.size, then to one drawn anew, each equally
// likely; a partition that stops being usable is left at once.
//
// It differs from the Java producer in that it does not know how long the
// queues to the brokers are, so it draws evenly, as Java does with
// partitioner.adaptive.partitioning.enable=false.
package sticky
