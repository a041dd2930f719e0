package zstd

import (
	"github.com/klauspost/compress/zstd"

	"odradek.dev/sdk/codec"
)

// maxBlock is the most that one block may decode to, whatever the window.
const maxBlock = 128 << 10

// checksumSize is what follows the last block of a frame that has one.
const checksumSize = 4

// extent is what the headers of frames and blocks say of the output.
type extent struct {
	// bound is the most that it can be; known is true if it is that exactly.
	bound uint64
	known bool
	// window is the largest of a frame.
	window uint64
}

// measure reads all headers of src. It fails where src is not a row of whole
// frames, and so bounds bound by 128 KiB for each three bytes of src.
func measure(src []byte) (extent, error) {
	total := extent{known: true}
	if len(src) == 0 {
		return total, codec.ErrCorrupt.With("no zstd frame")
	}
	for len(src) > 0 {
		var h zstd.Header
		if err := h.Decode(src); err != nil {
			return total, codec.ErrCorrupt.With("zstd frame header: %v", err)
		}
		if h.Skippable {
			end := uint64(h.HeaderSize) + uint64(h.SkippableSize)
			if end > uint64(len(src)) {
				return total, errTruncated()
			}
			src = src[end:]
			continue
		}
		size, rest, err := measureFrame(h, src[h.HeaderSize:])
		if err != nil {
			return total, err
		}
		total.bound += size
		total.known = total.known && h.HasFCS
		total.window = max(total.window, window(h))
		src = rest
	}
	return total, nil
}

// measureFrame bounds the content of one frame, from behind its header.
func measureFrame(h zstd.Header, src []byte) (bound uint64, rest []byte, err error) {
	if h.DictionaryID != 0 {
		return 0, nil, codec.ErrCorrupt.With("zstd frame needs dictionary %d", h.DictionaryID)
	}
	bound, rest, err = measureBlocks(src, window(h))
	if err != nil {
		return 0, nil, err
	}
	if h.HasCheckSum {
		if len(rest) < checksumSize {
			return 0, nil, errTruncated()
		}
		rest = rest[checksumSize:]
	}
	if h.HasFCS && h.FrameContentSize > bound {
		return 0, nil, codec.ErrCorrupt.With("zstd frame claims %d bytes, its blocks hold %d at most", h.FrameContentSize, bound)
	}
	if h.HasFCS {
		bound = h.FrameContentSize
	}
	return bound, rest, nil
}

func window(h zstd.Header) uint64 {
	if h.SingleSegment {
		return h.FrameContentSize
	}
	return h.WindowSize
}

// Types of blocks.
const (
	blockRaw = iota
	blockRLE
	blockCompressed
)

// measureBlocks walks to the end of the last block of a frame. Each block has
// a header of three bytes, little-endian: last 1 bit, type 2 bits, size 21
// bits, and as many bytes as size says, but one for RLE.
func measureBlocks(src []byte, window uint64) (bound uint64, rest []byte, err error) {
	for last := false; !last; {
		if len(src) < 3 {
			return 0, nil, errTruncated()
		}
		head := uint32(src[0]) | uint32(src[1])<<8 | uint32(src[2])<<16
		src = src[3:]
		last = head&1 != 0
		size := int(head >> 3)
		stored := size
		switch head >> 1 & 3 {
		case blockRaw:
			bound += uint64(size)
		case blockRLE:
			bound += uint64(size)
			stored = 1
		case blockCompressed:
			bound += min(maxBlock, max(window, zstd.MinWindowSize))
		default:
			return 0, nil, codec.ErrCorrupt.With("zstd block of the reserved type")
		}
		if size > maxBlock {
			return 0, nil, codec.ErrCorrupt.With("zstd block of %d bytes", size)
		}
		if stored > len(src) {
			return 0, nil, errTruncated()
		}
		src = src[stored:]
	}
	return bound, src, nil
}

func errTruncated() error { return codec.ErrCorrupt.With("zstd frame is cut off") }
