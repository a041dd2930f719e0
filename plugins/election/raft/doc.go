// Package raft is the election module that ships with Odradek: leadership and
// the metadata log by the Raft algorithm, as go.etcd.io/raft implements it.
//
// # What it promises
//
//   - An entry is acknowledged once it is on the disk (fsync) of a majority of
//     the voters, and is then never lost.
//   - An epoch is a Raft term. Every start of a voter that wins leads under a
//     larger one.
//   - The entries of one Append are one Raft entry: all of them are committed,
//     or none, wherever a crash strikes. Calls that wait at the same time share
//     one write and one fsync.
//   - Idle costs nothing: one voter needs no heartbeat, so nothing ticks.
//
// There is one voter for now, which campaigns as soon as it is started. What
// further voters need is behind the transport interface.
//
// # Files
//
// Everything is in the folder that the host gives the module:
//
//	lock                     held while the module runs
//	snapshot                 the last snapshot, replaced by rename
//	recovery-point           up to which record the log is known to be durable
//	room                     there only while room is looked for on a full disk
//	wal/00000000000000000001 log segments of github.com/tidwall/wal
//
// Each record of the write-ahead log is what Raft wanted written in one go,
// behind a CRC-32C, and is durable before the next is written. So a crash can
// tear the last one only, which is cut at the next start. A broken record with
// a sound one anywhere after it is damage, and so is a log that ends before the
// recovery point or below what is known to be committed: then the module
// refuses to start. A folder without a recovery point, from an earlier release
// or because it was removed, is not held to one.
//
// After a failed write or fsync what is in memory is not used any more. On a full
// disk the log is opened anew until that works, which is a start in all but the
// lock; after other errors the module serves nothing more until it is started
// again. A last record above the recovery point is written once more whenever the
// log is opened, since a sync of it may have failed.
//
// # What comes from elsewhere than module.Env
//
// tidwall/wal uses package os directly, so the module cannot run on a file
// system that is not the machine's; the lock, the snapshot, the recovery point
// and the repair of the log's tail go through Env.FS. go.etcd.io/raft draws the
// jitter of its election timeout from crypto/rand; with one voter no timeout is
// ever waited for.
package raft
