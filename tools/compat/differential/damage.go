package differential

import (
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// damaged is a request that no client sends. What is left of it may still be
// one that is answered.
func (d *draw) damaged(key, version int16, served versions) request {
	q := d.generate(key, version)
	if produce, is := q.(*kmsg.ProduceRequest); is {
		produce.Acks = -1 // something is to be seen of it
	}
	cut, number := d.IntN(40), uint32(d.Uint32())
	wrongVersion := pick(d, served.max+1, served.min-1, 1000, -1)
	damages := []func([]byte) []byte{
		func(frame []byte) []byte { return framed(frame[:4+max(0, len(frame)-4-cut)]) },
		func(frame []byte) []byte { return framed(frame[:4+min(cut, len(frame)-4)]) },
		func(frame []byte) []byte { return framed(binary.BigEndian.AppendUint32(frame, number)) },
		func(frame []byte) []byte { binary.BigEndian.PutUint16(frame[6:], uint16(wrongVersion)); return frame },
		func(frame []byte) []byte {
			binary.BigEndian.PutUint16(frame[4:], 500+uint16(number%1000))
			return frame
		},
		func(frame []byte) []byte {
			binary.BigEndian.PutUint32(frame, []uint32{0, 1<<31 - 1, 1 << 31, 1<<32 - 1}[number%4])
			return frame
		},
	}
	if changing[key] {
		// Kafka does not look at bytes behind the end, and does what is asked.
		damages = slices.Delete(damages, 2, 3)
	}
	return request{Request: q, damage: pick(d, damages...)}
}

// framed sets the length in front of a frame to what it is.
func framed(frame []byte) []byte {
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
	return frame
}
