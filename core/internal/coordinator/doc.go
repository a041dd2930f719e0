// Package coordinator runs the state machines of package group: one for each
// partition of __consumer_offsets that this broker leads. It owns what a
// machine must not have: the clock, the log, the assignors, and the lock.
//
// A request goes to the machine of its group. What the machine wants written
// is appended as one batch; what it answers is given when that is committed.
// When an append fails, the machine is thrown away and built anew from the log,
// so that nobody is ever answered from what the log does not have.
package coordinator
