// Package fnv1a places keys as the default partitioner of Sarama does, which
// drops the sign of the remainder and not of the hash, and draws a usable
// partition for each record without a key. The empty key is a key. It is also
// librdkafka's fnv1a_random.
package fnv1a
