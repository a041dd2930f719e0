// Command benchgroups measures the group coordinators of Odradek and Apache
// Kafka 4.4.0 side by side, in one run on one machine and with the same
// settings, and prints ratios, row by row, and a table at the end or at an
// interrupt.
//
// The members speak the protocol themselves, each over a connection of its own,
// since Kafka executes one request of a connection at a time, and all in one
// thread that waits for all of them; what a client library adds is not measured.
// How much of a core that took is in the table. It needs Linux.
//
// A member hears of a rebalance by its next heartbeat, so that with the usual
// interval of seconds every broker takes just those seconds. So each row about
// time says which of the protocol's timers it contains, and there are two of
// each. In one, no timer is involved: one member beats again and again until it
// hears of the change, then all that have not heard of it, and then those that
// have yet to give up something or to get it; the time is the broker's, and that
// of the round trips, which is measured with a server that answers at once. In
// the other they beat every 20 ms. What round trips or beats alone take is in the
// table, and the ratio beyond it.
//
// A broker is warmed before each row, until two samples in sequence are alike.
// Times are the low tenth of several: what else runs on the machine only adds to
// them. Where heartbeats come at a time of their own, which may make them shorter, it
// is the median. At rebalances without timers, which take little, the brokers have four
// turns each, one after the other, of which the best counts. In half of them the
// driver has a core of its own and the broker the others; in the other half all
// share all cores.
//
//	go run ./benchgroups -odradek ../bin/odradek -kafka ../bin/kafka-4.4.0
package main
