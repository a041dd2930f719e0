package frame

import (
	"encoding/binary"
	"strings"

	"odradek.dev/sdk/module"
)

// maxMessage bounds the text of an error that crosses, in bytes.
const maxMessage = 4 << 10

// maxFailure is the longest payload of an answer with an error.
const maxFailure = 1 + 2 + 255 + 2 + maxMessage

// appendFailure appends err as the payload of an answer: the class, and code
// and message with a length each.
func appendFailure(b []byte, err error) []byte {
	e := module.AsError(err)
	code, message := e.Code, e.Message
	if len(code) > 255 {
		code = code[:255]
	}
	if len(message) > maxMessage {
		message = message[:maxMessage]
	}
	b = append(b, byte(e.Class))
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(code))), code...)
	return append(binary.BigEndian.AppendUint16(b, uint16(len(message))), message...)
}

// parseFailure reads the error that b holds. ok is false if b holds none.
func parseFailure(b []byte) (failure *module.Error, ok bool) {
	if len(b) < 1 || b[0] > byte(module.Invalid) {
		return nil, false
	}
	e := &module.Error{Class: module.Class(b[0])}
	rest := b[1:]
	for _, field := range []*string{&e.Code, &e.Message} {
		if len(rest) < 2 {
			return nil, false
		}
		n := int(binary.BigEndian.Uint16(rest))
		if len(rest) < 2+n {
			return nil, false
		}
		*field, rest = strings.ToValidUTF8(string(rest[2:2+n]), "�"), rest[2+n:]
	}
	return e, len(rest) == 0
}
