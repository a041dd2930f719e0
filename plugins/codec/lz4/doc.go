// Package lz4 is the codec of attribute 3: one LZ4 frame a batch, with the
// descriptor of the Java client:
//
//	magic 04 22 4d 18 | FLG 60: version 1, independent blocks, no checksums,
//	no content size | BD 40: blocks of 64 KiB | HC 82: header checksum
//	then for each 64 KiB: length uint32, top bit set if stored | bytes
//	end mark 00 00 00 00
//
// All integers are little-endian. What other clients write is read: blocks of
// up to 4 MiB, dependent blocks, checksums, content sizes, several frames. The
// header checksum is that of the specification; the wrong one of Kafka 0.8 and
// 0.9 belongs to message formats before the batch and is refused.
//
// Levels are those of compression.lz4.level, 1 to 17. As in Java the default,
// 9, is the fast compressor and every other level the thorough one, which goes
// no further here than 9: 10 to 17 are the same.
//
// Encoders and decoders are pooled. A decoder keeps up to two blocks of the
// size that the frame declares, 4 MiB at most.
package lz4
