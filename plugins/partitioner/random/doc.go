// Package random sends each record to a usable partition drawn by chance,
// whatever its key, each equally likely. It is librdkafka's partitioner of the
// same name. Equal seeds draw equal sequences.
package random
