// Command bench measures Odradek and Apache Kafka 4.4.0 side by side, in one
// run on one machine, and prints ratios.
//
// The client is cheap on purpose: it sends requests that were encoded
// beforehand over raw sockets and of the answers reads little more than the
// length, so that the broker gets most of the machine. The CPU time of a broker
// is read from /proc. Absolute figures mean little on a shared machine; the
// ratio of two brokers measured in turns means more.
//
//	go run ./bench --odradek ../bin/odradek
//
// Kafka's jars come from Maven Central, see internal/kafkadist, into the folder
// of --kafka.
package main
