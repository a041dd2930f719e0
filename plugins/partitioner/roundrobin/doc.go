// Package roundrobin sends the records of a topic to one usable partition after
// the other, whatever their keys, as Java's RoundRobinPartitioner does. Its
// answers depend on nothing but the records that it saw before.
package roundrobin
