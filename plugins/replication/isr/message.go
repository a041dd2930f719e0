package isr

import (
	"encoding/binary"

	"odradek.dev/sdk/module"
)

// messageVersion is the first byte of every message.
const messageVersion = 1

type messageKind uint8

const (
	// fetch, from a follower: offset is its log end, lastEpoch the epoch of
	// its last record, safe what it would not lose, hw its high watermark.
	messageFetch messageKind = iota + 1
	// data, to a follower: hw is the leader's; the range came beside it.
	messageData
	// diverging, to a follower: lastEpoch and offset are where the leader's
	// largest epoch at or below the follower's ends.
	messageDiverging
	// restart, to a follower: offset is the leader's log start.
	messageRestart
	// ask, to a follower: the leader is waiting for a fetch.
	messageAsk
	// progress, from a follower: safe has grown since its fetch.
	messageProgress
	messageKindEnd
)

// message has one layout for all kinds; fields without a meaning are zero.
//
//	version 1 | kind 1 | epoch 4 | offset 8 | lastEpoch 4 | safe 8 | hw 8 |
//	session 8 | sequence 8
//
// All integers are big-endian.
type message struct {
	kind      messageKind
	epoch     int32
	offset    int64
	lastEpoch int32
	safe      int64
	hw        int64
	// session is new with each machine of a follower, sequence grows with
	// each message in it: a late fetch must not undo a newer one. An answer
	// has those of the fetch, so that a late one is known for what it is.
	session, sequence uint64
}

const messageSize = 50

func (m message) encode() []byte {
	b := make([]byte, 0, messageSize)
	b = append(b, messageVersion, byte(m.kind))
	b = binary.BigEndian.AppendUint32(b, uint32(m.epoch))
	b = binary.BigEndian.AppendUint64(b, uint64(m.offset))
	b = binary.BigEndian.AppendUint32(b, uint32(m.lastEpoch))
	b = binary.BigEndian.AppendUint64(b, uint64(m.safe))
	b = binary.BigEndian.AppendUint64(b, uint64(m.hw))
	b = binary.BigEndian.AppendUint64(b, m.session)
	return binary.BigEndian.AppendUint64(b, m.sequence)
}

func decodeMessage(b []byte) (message, error) {
	if len(b) != messageSize || b[0] != messageVersion {
		return message{}, module.Invalidf("a message of %d bytes is not one of isr's version %d", len(b), messageVersion)
	}
	m := message{
		kind:      messageKind(b[1]),
		epoch:     int32(binary.BigEndian.Uint32(b[2:])),
		offset:    int64(binary.BigEndian.Uint64(b[6:])),
		lastEpoch: int32(binary.BigEndian.Uint32(b[14:])),
		safe:      int64(binary.BigEndian.Uint64(b[18:])),
		hw:        int64(binary.BigEndian.Uint64(b[26:])),
		session:   binary.BigEndian.Uint64(b[34:]),
		sequence:  binary.BigEndian.Uint64(b[42:]),
	}
	if m.kind == 0 || m.kind >= messageKindEnd {
		return message{}, module.Invalidf("a message of kind %d is not one of isr's", m.kind)
	}
	return m, nil
}
