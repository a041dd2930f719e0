package kafka

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kbin"

	"odradek.dev/core/internal/partition"
)

// outbound is answers on their way out: bytes, and between them ranges of log
// files that are sent without being read.
type outbound struct {
	buf []byte
	// cuts are in order of their place in buf.
	cuts []cut
	// cutBytes is the sum of their lengths.
	cutBytes int64
	// start is where the answer in progress begins, startCuts and startBytes
	// what cuts and cutBytes were then.
	start      int
	startCuts  int
	startBytes int64
	pooled     *buffer
}

// cut is what comes after buf[:after]: a range of a file, or bytes that are
// somebody else's.
type cut struct {
	after  int
	file   *partition.OpenFile
	at     int64
	length int64
	data   []byte
}

func (o *outbound) empty() bool { return len(o.buf) == 0 && len(o.cuts) == 0 }

func (o *outbound) bytes() int64 { return int64(len(o.buf)) + o.cutBytes }

// begin starts an answer: room for the length, and the response header.
func (o *outbound) begin(correlation int32, flexible bool) {
	o.start, o.startCuts, o.startBytes = len(o.buf), len(o.cuts), o.cutBytes
	o.buf = append(o.buf, 0, 0, 0, 0)
	o.buf = kbin.AppendInt32(o.buf, correlation)
	if flexible {
		o.buf = append(o.buf, 0)
	}
}

// end completes it and returns its whole size.
func (o *outbound) end() int64 {
	size := int64(len(o.buf)-o.start) + o.cutBytes - o.startBytes
	binary.BigEndian.PutUint32(o.buf[o.start:], uint32(size-4))
	return size
}

// appendFile puts a range of a file behind what there is. The outbound gives
// the file back.
func (o *outbound) appendFile(f *partition.OpenFile, at, length int64) {
	o.cuts = append(o.cuts, cut{after: len(o.buf), file: f, at: at, length: length})
	o.cutBytes += length
}

// appendData puts bytes behind what there is, without copying them.
func (o *outbound) appendData(b []byte) {
	o.cuts = append(o.cuts, cut{after: len(o.buf), data: b, length: int64(len(b))})
	o.cutBytes += int64(len(b))
}

// mark remembers a place to go back to.
type mark struct {
	buf, cuts int
}

func (o *outbound) mark() mark { return mark{buf: len(o.buf), cuts: len(o.cuts)} }

func (o *outbound) backTo(m mark) {
	for _, c := range o.cuts[m.cuts:] {
		o.cutBytes -= c.length
		if c.file != nil {
			c.file.Release()
		}
	}
	clear(o.cuts[m.cuts:])
	o.buf, o.cuts = o.buf[:m.buf], o.cuts[:m.cuts]
}

// writeTo writes everything. Afterwards the outbound is empty, written or not.
func (o *outbound) writeTo(s *socket) error {
	defer o.backTo(mark{})
	at := 0
	for _, c := range o.cuts {
		if err := s.write(o.buf[at:c.after], true); err != nil {
			return err
		}
		at = c.after
		var err error
		if c.file != nil {
			err = s.writeFile(c.file.File, c.at, c.length)
		} else {
			err = s.write(c.data, false)
		}
		if err != nil {
			return err
		}
	}
	return s.write(o.buf[at:], false)
}
