package hash

import "hash/crc32"

// CRC32 is the IEEE CRC-32 (the one of zip and Ethernet, not Kafka's record
// checksum), as librdkafka's consistent partitioners use it. A nil key hashes
// like an empty one, to 0.
func CRC32(key []byte) uint32 { return crc32.ChecksumIEEE(key) }
