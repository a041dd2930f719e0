// Package isr is Kafka's in-sync-replica replication: one leader writes, the
// others fetch from it, and a record is safe when every replica that keeps up
// has it.
//
// It is the algorithm with the corrections that Kafka has made to it:
//
//   - truncation follows leader epochs, never the high watermark (KIP-101,
//     KIP-279), and takes as many rounds as it needs;
//   - a fetch carries the epoch of the fetcher, and one of another epoch
//     counts for nothing (KIP-320);
//   - a fetch that diverges is no progress, truncation comes before the high
//     watermark, and an answer to an older fetch truncates nothing;
//   - the high watermark is the least of the maximal in-sync set: those in the
//     record and those that a change under way would add or remove;
//   - it does not move while the in-sync set is smaller than
//     min.insync.replicas (KIP-966);
//   - to join, a replica must have fetched in this epoch and have reached both
//     the high watermark and the start of the leader's epoch.
//
// Not here: eligible leader replicas of KIP-966, so that the last in-sync
// replica must not lose its disk; unclean election; reads from followers.
//
// # Messages
//
//	follower                                      leader
//	   | fetch: end, epoch of the last record       |
//	   |------------------------------------------->|  waits for something new
//	   |                 data: range, high watermark |
//	   |<-------------------------------------------|
//	   | fetch: the new end, which acknowledges      |
//	   |------------------------------------------->|
//
// A leader whose log does not have the follower's last record answers with
// diverging instead: the largest epoch at or below the follower's that the
// leader has, and where it ends. A leader whose log begins above the
// follower's end answers with restart. It asks again where an answer is
// overdue.
//
// An idle partition of one replica has no timer; one with followers has a
// fetch repeated now and then, at growing intervals.
package isr
