// Package coordinator runs the state machines of package group: one for each
// partition of __consumer_offsets that this broker leads. It owns what a
// machine must not have: the clock, the log, the assignors, and the lock.
//
// A request goes to the machine of its group. What the machine wants written
// is appended as one batch; what it answers is given when that is committed.
// When an append fails, the machine is thrown away and built anew from the log,
// so that nobody is ever answered from what the log does not have.
//
// A session ends when a member was not heard for so long, and not because the
// broker did not listen: after a stop of the broker what members sent is read
// first (timer.go), and when the machine's clock was set all sessions begin anew
// (timepiece.go).
//
// What groups take in memory, by BenchmarkMemory, in bytes of heap: in a group
// of 1,000 members a member takes 770 with the classic protocol and 720 to 960
// with the consumer protocol, so the group takes less than 1 MB; of 10,000
// groups of one member each takes 1,700 and 3,400 to 3,900, so all of them take
// 17 and 39 MB. TestWhatGroupsTakeInMemory holds them to three times that.
//
// While a partition loads, its clients are told COORDINATOR_LOAD_IN_PROGRESS, also
// while its log cannot be read, which is tried again and again. Kafka tells them
// NOT_COORDINATOR then until it is started again; both have a client ask again. A
// million commits are read, by BenchmarkLoad on two cores, in 1.3 s if nobody
// else uses those, and in 3 s if others do. Compaction keeps what there is to
// read below that.
package coordinator
