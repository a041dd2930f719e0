// Package replication is the contract of modules that decide when a record is
// safe, when it may be seen, and who may write and read.
//
// A strategy gives each replica of a partition a step machine in the manner of
// etcd's raft: events go in, effects come out, and there is no goroutine,
// clock, randomness or input and output in it. The host moves all bytes; the
// machine names only offsets and ranges. The same machine therefore runs in a
// broker, in a subprocess, in a simulator and under an exhaustive explorer.
//
//	broker: validation, offsets, producer state, fetch
//	     | Propose                     ^ Ack, Visible, Role
//	     v                             |
//	+---------------------- Machine ---------------------+
//	     | Append, Truncate, Sync      | Send, SendRange
//	     v                             v
//	storage log                   other replicas
//
// Acknowledged and visible are separate, and so are "may write" and "may
// read": a leader elected a moment ago may do the one and not yet the other.
//
// On the side of the control plane there is one pure function, Elect.
package replication
