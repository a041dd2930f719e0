// Package murmur2 places keys as Kafka's Java producer does and draws a usable
// partition for each record without a key: librdkafka's murmur2_random. The
// empty key is a key.
package murmur2
