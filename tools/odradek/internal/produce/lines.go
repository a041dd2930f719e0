package produce

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines reads input line by line and refuses, by number, one that is longer
// than a record may be. A final line without a newline counts; "\r" before a
// newline belongs to the line.
type lines struct {
	name     string
	input    *bufio.Reader
	maxBytes int
	number   int
	long     []byte
}

const readBufferBytes = 64 << 10

func newLines(name string, input io.Reader, maxBytes int) *lines {
	return &lines{name: name, input: bufio.NewReaderSize(input, readBufferBytes), maxBytes: maxBytes}
}

// next returns a copy of the next line without its newline, io.EOF after the
// last.
func (l *lines) next() ([]byte, error) {
	l.number++
	l.long = l.long[:0]
	for {
		part, err := l.input.ReadSlice('\n')
		length := len(l.long) + len(part)
		if err == nil {
			length--
		}
		if length > l.maxBytes {
			return nil, fmt.Errorf("line %d of %s is longer than %d bytes: raise --max-message-bytes, and max.message.bytes of the topic if it is lower",
				l.number, l.name, l.maxBytes)
		}
		l.long = append(l.long, part...)
		switch {
		case err == nil:
			return bytes.Clone(l.long[:length]), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && length > 0:
			return bytes.Clone(l.long), nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("reading %s: %w", l.name, err)
		}
	}
}

// drained reports that the next line has yet to come: whoever collects lines
// should not keep them waiting for it.
func (l *lines) drained() bool { return l.input.Buffered() == 0 }
