package kafka

import (
	"encoding/binary"
	"fmt"
	"io"
)

// inbox is the read side of a connection: it cuts the bytes that arrive into
// frames, which stay where they arrived. It holds a buffer only while there
// are bytes in it.
type inbox struct {
	sock    *socket
	buffers *bufferPool
	// limit is socket.request.max.bytes.
	limit int
	buf   *buffer
	// The bytes from r to w are read and not consumed.
	r, w int
	// hint is the size of buffer that the frames of this client call for.
	hint int
	// The result of the read within the socket's callback.
	n   int
	err error
}

// frameError is a frame that cannot be one of a Kafka client.
type frameError struct {
	length int32
	limit  int
	first  [4]byte
}

// kind says what the client seems to be: http, tls, or one that sends frames.
func (e *frameError) kind() string {
	switch first := string(e.first[:]); {
	case first == "GET " || first == "POST" || first == "HEAD" || first == "PUT " || first == "PRI ":
		return "http"
	case e.first[0] == 0x16 && e.first[1] == 3:
		return "tls"
	}
	return "frame"
}

func (e *frameError) Error() string {
	switch kind := e.kind(); {
	case kind == "http":
		return "it speaks HTTP; this is a listener for Kafka clients, and the admin listener answers HTTP"
	case kind == "tls":
		return "it speaks TLS; this listener is plaintext (security.protocol=PLAINTEXT at the client)"
	case e.length < leastFrame:
		return fmt.Sprintf("a frame claims %d bytes, which no request has", e.length)
	}
	return fmt.Sprintf("a frame claims %d bytes and socket.request.max.bytes is %d", e.length, e.limit)
}

// next returns the frame at the head, without its length field. ok is false
// when it is not complete yet.
func (in *inbox) next() (frame []byte, ok bool, err error) {
	if in.w-in.r < 4 {
		return nil, false, nil
	}
	head := in.buf.b[in.r:in.w]
	size := int32(binary.BigEndian.Uint32(head))
	if size < leastFrame || int(size) > in.limit {
		return nil, false, &frameError{length: size, limit: in.limit, first: [4]byte(head)}
	}
	if len(head)-4 < int(size) {
		return nil, false, nil
	}
	in.r += 4 + int(size)
	in.hint = min(4*(4+int(size)), 1<<(mostBufferBits-1))
	return head[4 : 4+size : 4+size], true, nil
}

// begun is the size of the frame at the head, 0 while that is not known.
func (in *inbox) begun() int64 {
	if in.w-in.r < 4 {
		return 0
	}
	return 4 + int64(binary.BigEndian.Uint32(in.buf.b[in.r:]))
}

// fill waits for bytes and reads what there is. Frames that next returned
// before are gone then.
func (in *inbox) fill() error {
	if in.buf != nil {
		in.makeRoom()
	}
	in.n, in.err = 0, nil
	if err := in.sock.read(in); err != nil {
		return err
	}
	switch {
	case in.err != nil:
		return in.err
	case in.n == 0:
		return io.EOF
	}
	in.w += in.n
	return nil
}

// makeRoom moves or grows, so that there is room for the rest of the frame
// that has begun, or for some of it: the buffer grows with the bytes that came,
// never to what a length field claims.
func (in *inbox) makeRoom() {
	have := in.w - in.r
	if have == 0 {
		in.r, in.w = 0, 0
		return
	}
	need := max(4, int(in.begun()))
	if in.r+need <= len(in.buf.b) {
		return
	}
	if need <= len(in.buf.b) || in.r > 0 && have <= len(in.buf.b)/2 {
		copy(in.buf.b, in.buf.b[in.r:in.w])
		in.r, in.w = 0, have
		return
	}
	if in.w < len(in.buf.b) {
		return
	}
	grown := in.buffers.take(min(need, 2*len(in.buf.b)))
	copy(grown.b, in.buf.b[in.r:in.w])
	in.buffers.give(in.buf)
	in.buf, in.r, in.w = grown, 0, have
}

// room is where the next bytes go. It takes a buffer if there is none.
func (in *inbox) room() []byte {
	if in.buf == nil {
		in.buf = in.buffers.take(in.hint)
	}
	return in.buf.b[in.w:]
}

// idle lets the buffer go if there is nothing in it.
func (in *inbox) idle() {
	if in.buf != nil && in.r == in.w {
		in.buffers.give(in.buf)
		in.buf, in.r, in.w = nil, 0, 0
	}
}

// release lets the buffer go for good.
func (in *inbox) release() {
	if in.buf != nil {
		in.buffers.give(in.buf)
		in.buf, in.r, in.w = nil, 0, 0
	}
}
