// Package crc32 places keys by CRC-32 as librdkafka does, in one of two ways
// named as librdkafka names them:
//
//   - consistent_random, librdkafka's default: a usable partition by chance for
//     the empty key and for none;
//   - consistent: the hash of nothing, and so partition 0, for both.
package crc32
