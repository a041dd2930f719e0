package kafka

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kbin"
)

// What follows appends the types that differ between plain and flexible
// versions; the others are kbin's.

func appendCount(b []byte, n int, flexible bool) []byte {
	if flexible {
		return binary.AppendUvarint(b, uint64(n)+1)
	}
	return kbin.AppendInt32(b, int32(n))
}

func appendText[T string | []byte](b []byte, s T, flexible bool) []byte {
	if flexible {
		b = binary.AppendUvarint(b, uint64(len(s))+1)
	} else {
		b = kbin.AppendInt16(b, int16(len(s)))
	}
	return append(b, s...)
}

// appendNull is a string that is null.
func appendNull(b []byte, flexible bool) []byte {
	if flexible {
		return append(b, 0)
	}
	return kbin.AppendInt16(b, -1)
}

func appendNoTags(b []byte, flexible bool) []byte {
	if flexible {
		return append(b, 0)
	}
	return b
}
