// Package offsets is the offsets that groups committed: those of all the groups
// of one partition of __consumer_offsets. It knows nothing of members; who may
// commit is decided before.
package offsets
