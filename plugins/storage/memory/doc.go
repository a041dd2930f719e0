// Package memory is the storage engine that keeps logs in memory, for tests
// and for brokers whose records need not outlive them.
//
// It promises the whole contract but durability: Sync says that all is
// durable, and the end of the process is the end of every log. Until then a
// closed log can be opened again, and a directory that was let go mounted
// again. Reads share memory with the log and copy nothing.
package memory
