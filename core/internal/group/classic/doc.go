// Package classic is one group of the classic protocol (KIP-62, KIP-345,
// KIP-394, KIP-814): members join, one of them, the leader, decides for all,
// and everybody gets its share by syncing. What members say of themselves and
// what the leader decides is bytes to the group, whatever the type of protocol.
//
// [Refuse] and [RefuseUnknown] answer what no group is needed for; everything
// else is a method of [Group]. A request is answered in the output of the step
// that has it, or of a later one; each is answered once. What is in the log
// changes through [Group.Apply] alone, live and when the log is replayed. A
// rebalance in progress is not in the log: after a replay the group is as it was
// when the last leader had decided, and members find that out.
//
// Requests may be changed after a call, and so may their bytes; what the group
// gives out, in answers, records and lists, is shared and must not be.
package classic
