// Package guard stands between the broker and its modules. It gives every call
// a deadline, checks what comes back, takes the fallback that the kind
// declares, and counts and times the calls.
//
//	partitioner   deadline, every answer checked; else the built-in sticky
//	assignor      deadline, every answer checked; else the built-in range
//	codec         deadline, output held to its budget; no fallback, but a process
//	              that ends is waited for (see wire/supervise)
//	storage       counted and timed; no fallback, the log it concerns goes offline
//	election      counted and timed; no fallback, metadata stands still
//	replication   counted and timed; no fallback, the partition stops serving
package guard
