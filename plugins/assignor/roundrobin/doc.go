// Package roundrobin deals all partitions of all topics, sorted, to the members
// one after the other, as Java's RoundRobinAssignor does. Members of equal
// subscriptions get equal numbers, give or take one. It remembers nothing: when
// a member joins or leaves, most partitions change hands.
package roundrobin
