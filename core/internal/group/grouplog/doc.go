// Package grouplog is the records of __consumer_offsets: what is known of
// groups and of the offsets that they committed, in the formats that Kafka 4.4
// gives them (the JSON schemas of its group-coordinator module). A key begins
// with an int16 that is the type of the record, a value with one that is the
// version of its own format; numbers are big-endian.
//
// Records are values: nothing in one is changed after it was made or decoded.
package grouplog
