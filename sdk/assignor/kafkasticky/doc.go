// Package kafkasticky assigns as the sticky assignors of Kafka's Java client
// do: both StickyAssignor and CooperativeStickyAssignor work this way, and so
// the modules of both names share it.
//
// Members keep what they own as far as balance allows. Where all subscribe to
// the same topics each has a quota (quota.go), and their numbers differ by at
// most one. Where they do not (level.go), partitions move to lighter members
// one by one for as long as that helps. Where members and replicas have racks,
// and not every partition is in every rack, a member gets partitions of its own
// rack first and gives up others (KIP-881).
//
// Kafka takes members, in some places, in the order of a Java hash table. That
// order is part of the answer, and hashorder.go has it: clients of two kinds
// that lead a group in turn must not undo each other's work.
package kafkasticky
