package snappy

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/s2"

	"odradek.dev/sdk/codec"
)

const (
	// blockSize is what one block holds before compression, as in Java.
	blockSize  = 32 << 10
	headerSize = 16
	lengthSize = 4
	// maxRatio is more than snappy can reach: its densest element is a copy
	// of 64 bytes in three. A block that claims more is damaged.
	maxRatio = 22
)

// header is the magic, the version and the oldest version that can read it.
var header = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1}

var magic = header[:8]

// Codec has no state: the library needs none that is worth keeping.
type Codec struct{}

// Info has no levels.
func (Codec) Info() codec.Info { return codec.Info{Attribute: 2} }

// Compress appends the framed form to dst.
func (c Codec) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := c.Info().Level(level); err != nil {
		return nil, err
	}
	dst = append(dst, header...)
	for block := range slices.Chunk(src, blockSize) {
		dst = slices.Grow(dst, lengthSize+s2.MaxEncodedLen(len(block)))
		at := len(dst) + lengthSize
		encoded := s2.EncodeSnappy(dst[at:cap(dst)], block)
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(encoded)))
		dst = dst[:at+len(encoded)]
	}
	return dst, nil
}

// Decompress appends the content of either form to dst. The sizes are all
// known and checked before the first byte is decoded.
func (Codec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(src, magic) {
		return decodeRaw(dst, src, budget)
	}
	size, err := measure(src)
	if err != nil {
		return nil, err
	}
	if size > budget {
		return nil, codec.ErrOverBudget
	}
	dst = slices.Grow(dst, size)
	for rest := src[headerSize:]; len(rest) > 0; {
		var block []byte
		block, rest = cut(rest)
		if dst, err = decodeBlock(dst, block); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func decodeRaw(dst, src []byte, budget int) ([]byte, error) {
	size, err := decodedSize(src)
	if err != nil {
		return nil, err
	}
	if size > budget {
		return nil, codec.ErrOverBudget
	}
	return decodeBlock(slices.Grow(dst, size), src)
}

// measure walks the framing and adds up what its blocks say they hold.
func measure(src []byte) (int, error) {
	if len(src) < headerSize {
		return 0, codec.ErrCorrupt.With("snappy framing ends in its header")
	}
	if oldest := binary.BigEndian.Uint32(src[12:]); oldest != 1 {
		return 0, codec.ErrCorrupt.With("snappy framing of version %d", oldest)
	}
	total := 0
	for rest := src[headerSize:]; len(rest) > 0; {
		var block []byte
		if block, rest = cut(rest); block == nil {
			return 0, codec.ErrCorrupt.With("snappy framing ends in a block")
		}
		size, err := decodedSize(block)
		if err != nil {
			return 0, err
		}
		total += size
	}
	return total, nil
}

// cut splits off the first block; nil if it is not whole.
func cut(framed []byte) (block, rest []byte) {
	if len(framed) < lengthSize {
		return nil, nil
	}
	size := uint64(binary.BigEndian.Uint32(framed))
	if size > uint64(len(framed)-lengthSize) {
		return nil, nil
	}
	end := lengthSize + int(size)
	return framed[lengthSize:end], framed[end:]
}

func decodedSize(block []byte) (int, error) {
	size, err := s2.DecodedLen(block)
	if err != nil {
		return 0, codec.ErrCorrupt.With("%v", err)
	}
	if size > maxRatio*len(block) {
		return 0, codec.ErrCorrupt.With("a snappy block of %d bytes claims to hold %d", len(block), size)
	}
	return size, nil
}

// decodeBlock needs room for the block in dst.
func decodeBlock(dst, block []byte) ([]byte, error) {
	size, err := s2.DecodedLen(block)
	if err != nil {
		return nil, codec.ErrCorrupt.With("%v", err)
	}
	if _, err = s2.Decode(dst[len(dst):len(dst)+size], block); err != nil {
		return nil, codec.ErrCorrupt.With("%v", err)
	}
	return dst[:len(dst)+size], nil
}
