// Command benchgroups measures the group coordinators of Odradek and Apache
// Kafka 4.4.0 side by side, in one run on one machine and with the same
// settings, and prints ratios.
//
// The members speak the protocol themselves, each over a connection of its own,
// so that a thousand of them cost little; what a client library adds is not
// measured. For the rows that are about time, heartbeats are sent every 20 ms:
// a member hears of a rebalance by its next heartbeat, so that with the usual
// interval of seconds every broker would take just those seconds. The rows say
// which of the protocol's timers they contain all the same.
//
//	go run ./benchgroups -odradek ../bin/odradek -kafka ../bin/kafka-4.4.0
package main
