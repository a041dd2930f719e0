// Package hash has the hashes by which Kafka's clients place keys, and the
// three rules by which they make a partition of a hash. A hash with another
// client's rule places about half of all keys differently, so a partitioner
// names both.
//
// Everything here is pure, allocates nothing and is safe for concurrent use.
// Vectors made by the clients themselves are in sdk/partitioner/golden.
package hash
