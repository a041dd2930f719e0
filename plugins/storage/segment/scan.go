package segment

import (
	"errors"
	"hash/crc32"
	"io"

	"odradek.dev/sdk/record"
)

// scanBuffer is how much of a segment is read at once when it is checked.
const scanBuffer = 256 << 10

// crcFrom is where the bytes begin that a batch's CRC covers.
const crcFrom = 21

// scanner reads a .log file from the front, each byte once as long as the
// reads ascend.
type scanner struct {
	file *cachedFile
	size int64
	// base is the segment's; offsets in it are at most base plus an int32.
	base int64

	buffer []byte
	held   []byte
	heldAt int64
	read   int64
}

// window returns bytes from position on: at least n of them, unless the file
// ends before, and n is at most scanBuffer.
func (s *scanner) window(position int64, n int) ([]byte, error) {
	if skip := position - s.heldAt; skip >= 0 && skip+int64(n) <= int64(len(s.held)) {
		return s.held[skip:], nil
	}
	if s.buffer == nil {
		s.buffer = make([]byte, min(scanBuffer, s.size))
	}
	want := min(int64(len(s.buffer)), s.size-position)
	if want <= 0 {
		return nil, nil
	}
	got, err := s.file.readSome(s.buffer[:want], position)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	s.read += int64(got)
	s.held, s.heldAt = s.buffer[:got], position
	return s.held, nil
}

// batch reads the header at position. plausible says that it can be that of a
// batch whose offsets begin at from or later; intact, that the CRC is right too.
func (s *scanner) batch(position, from int64) (b batchAt, plausible, intact bool, err error) {
	header, err := s.window(position, record.HeaderSize)
	if err != nil {
		return b, false, false, err
	}
	b, plausible = headerOf(header, position, s.size)
	if !plausible || b.base < from || b.next-1-s.base > 1<<31-1 {
		return b, false, false, nil
	}
	want := record.Batch(header).CRC()
	sum, err := s.checksum(position+crcFrom, b.end())
	return b, true, err == nil && sum == want, err
}

func (s *scanner) checksum(from, to int64) (uint32, error) {
	sum := uint32(0)
	for from < to {
		n := int(min(to-from, scanBuffer))
		piece, err := s.window(from, min(n, 1))
		if err != nil {
			return 0, err
		}
		if len(piece) == 0 {
			return 0, io.ErrUnexpectedEOF
		}
		piece = piece[:min(len(piece), n)]
		sum = crc32.Update(sum, castagnoli, piece)
		from += int64(len(piece))
	}
	return sum, nil
}

// zeros reports whether all bytes from from to to are zero.
func (s *scanner) zeros(from, to int64) (bool, error) {
	for from < to {
		piece, err := s.window(from, 1)
		if err != nil {
			return false, err
		}
		if len(piece) == 0 {
			return true, nil
		}
		piece = piece[:min(int64(len(piece)), to-from)]
		for _, b := range piece {
			if b != 0 {
				return false, nil
			}
		}
		from += int64(len(piece))
	}
	return true, nil
}

// nextIntact finds the first intact batch after the broken one at position,
// whose base offset must be above from. It goes by the broken batch's length
// if that leads to one, and else tries every byte.
func (s *scanner) nextIntact(position, from int64) (b batchAt, found bool, err error) {
	broken, plausible, _, err := s.batch(position, from)
	if err != nil {
		return b, false, err
	}
	if plausible {
		b, _, found, err = s.batch(broken.end(), from+1)
		if found || err != nil || broken.end() == s.size {
			return b, found, err
		}
	}
	for at := position + 1; at+record.HeaderSize <= s.size; at++ {
		header, err := s.window(at, record.HeaderSize)
		if err != nil {
			return b, false, err
		}
		if skip := toMagic(header); skip > 0 {
			at += int64(skip) - 1
			continue
		}
		if b, ok := headerOf(header, at, s.size); !ok || b.base <= from {
			continue
		}
		b, _, found, err = s.batch(at, from+1)
		if found || err != nil {
			return b, found, err
		}
	}
	return b, false, nil
}

// toMagic is how many bytes can be passed over, since no header begins in them.
func toMagic(b []byte) int {
	const magicAt = 16
	for i := 0; i+record.HeaderSize <= len(b); i++ {
		if b[i+magicAt] == 2 {
			return i
		}
	}
	return max(1, len(b)-record.HeaderSize+1)
}
