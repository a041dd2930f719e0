// Package partition is the partitions that this broker has replicas of: their
// logs, what may be written to them and read from them, and who waits for them.
//
// A [Registry] holds the partitions by topic and follows the metadata image. A
// [Partition] joins a storage log, the step machine of a replication strategy
// and the state of idempotent producers under one mutex. What it does for an
// append is the same for every strategy and any number of replicas:
//
//	check the batches          validate.go, producers.go   outside the log
//	propose to the machine     append.go
//	carry out its effects      effects.go                  append, sync, ...
//	answer                     when the machine says so, often at once
//
// All of it happens on the goroutine of the caller. Readers take no lock: the
// log end offset, the high watermark and the role are atomics. A fetch that
// finds too little registers with the partitions it reads (watch.go) and is
// told when enough has become visible.
package partition
