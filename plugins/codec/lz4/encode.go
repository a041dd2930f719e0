package lz4

import (
	"encoding/binary"
	"slices"

	"github.com/pierrec/lz4/v4"
)

// frameHeader is constant because nothing in it depends on the content.
var frameHeader = []byte{0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82}

const (
	blockSize = 64 << 10
	// stored marks the length of a block that is not compressed.
	stored  = 1 << 31
	endMark = 0
)

// compressor is what both compressors of the library are. They keep a table
// that is worth a pool.
type compressor interface {
	CompressBlock(src, dst []byte) (int, error)
}

func newCompressor(level int) compressor {
	if level == defaultLevel {
		return &lz4.Compressor{}
	}
	return &lz4.CompressorHC{Level: thoroughness[min(level, len(thoroughness))-1]}
}

var thoroughness = []lz4.CompressionLevel{
	lz4.Level1, lz4.Level2, lz4.Level3, lz4.Level4, lz4.Level5, lz4.Level6, lz4.Level7, lz4.Level8, lz4.Level9,
}

func appendFrame(dst, src []byte, c compressor) []byte {
	dst = append(dst, frameHeader...)
	for block := range slices.Chunk(src, blockSize) {
		dst = slices.Grow(dst, 4+len(block))
		at := len(dst) + 4
		// Given no more room than the block itself has, the compressor says
		// that it does not compress instead of making it longer.
		n, err := c.CompressBlock(block, dst[at:at+len(block)])
		if err != nil || n == 0 || n >= len(block) {
			dst = binary.LittleEndian.AppendUint32(dst, stored|uint32(len(block)))
			dst = append(dst, block...)
			continue
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
		dst = dst[:at+n]
	}
	return binary.LittleEndian.AppendUint32(dst, endMark)
}
