package frame

import (
	"encoding/binary"
	"time"

	"odradek.dev/sdk/module"
)

// HeaderSize is the bytes in front of each payload.
const HeaderSize = 24

// lengthSize is the bytes of the length field, which the length does not count.
const lengthSize = 4

// MaxPayload is the longest payload in either direction. It is above Kafka's
// default for socket.request.max.bytes, so that no batch that a broker takes in
// is too long for a module.
const MaxPayload = 128 << 20

// Op names an operation; an answer repeats that of its request.
type Op uint8

// The operations. A number is never given to another operation.
const (
	OpPartition  Op = 1
	OpCompress   Op = 2
	OpDecompress Op = 3
)

// The status of an answer. A request has statusOK.
const (
	statusOK    = 0
	statusError = 1
)

// header is the fixed part of a frame, all integers big-endian:
//
//	 0       4               12   13       14         16              24
//	+-------+---------------+----+--------+----------+---------------+---------
//	|length | id            | op | status | reserved | timeout in us | payload
//	+-------+---------------+----+--------+----------+---------------+---------
type header struct {
	// payload is the length of what follows the header.
	payload int
	// id is the host's, counted up from 1; an answer repeats it.
	id     uint64
	op     Op
	status uint8
	// timeout is what the host still waits, 0 in an answer.
	timeout time.Duration
}

// put writes h over the first HeaderSize bytes of b.
func (h header) put(b []byte) {
	_ = b[HeaderSize-1]
	binary.BigEndian.PutUint32(b, uint32(HeaderSize-lengthSize+h.payload))
	binary.BigEndian.PutUint64(b[4:], h.id)
	b[12], b[13], b[14], b[15] = byte(h.op), h.status, 0, 0
	binary.BigEndian.PutUint64(b[16:], uint64(h.timeout.Microseconds()))
}

// maxTimeout keeps a timeout that came over the wire from overflowing.
const maxTimeout = 24 * time.Hour

// parseHeader reads the first HeaderSize bytes of b. It refuses a length that
// no frame can have, and what the protocol reserves.
func parseHeader(b []byte) (header, error) {
	length := binary.BigEndian.Uint32(b)
	if length < HeaderSize-lengthSize || length > HeaderSize-lengthSize+MaxPayload {
		return header{}, module.Fatalf("frame length %d is not between %d and %d", length, HeaderSize-lengthSize, HeaderSize-lengthSize+MaxPayload)
	}
	h := header{
		payload: int(length) - (HeaderSize - lengthSize),
		id:      binary.BigEndian.Uint64(b[4:]),
		op:      Op(b[12]),
		status:  b[13],
	}
	if h.status > statusError || b[14] != 0 || b[15] != 0 {
		return header{}, module.Fatalf("frame %d has status %d and reserved bytes %#x %#x", h.id, h.status, b[14], b[15])
	}
	h.timeout = maxTimeout
	if us := binary.BigEndian.Uint64(b[16:]); us < uint64(maxTimeout/time.Microsecond) {
		h.timeout = time.Duration(us) * time.Microsecond
	}
	return h, nil
}
