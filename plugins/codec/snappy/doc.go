// Package snappy is the codec of attribute 2: snappy blocks in the framing of
// the xerial library, which the Java client writes. Other clients write one
// raw snappy block instead; both are read.
//
//	framed:  0x82 "SNAPPY" 0x00 | version 1 int32 | compatible 1 int32
//	         then for each 32 KiB: length int32 | raw snappy block
//
// All integers are big-endian. The framing has no end mark and no checksum:
// the batch around it has both.
//
// A raw block cannot begin like the framing does, since its first element
// would copy from before its start.
package snappy
