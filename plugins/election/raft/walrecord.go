package raft

import (
	"encoding/binary"
	"hash/crc32"

	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"odradek.dev/sdk/module"
)

// walRecord is what Raft wanted written in one go. In the write-ahead log:
//
//	uint32 CRC-32C of the rest | fields
//
// and a field is a tag of one byte, the length as an unsigned varint, and a
// message of raftpb. Numbers are little-endian.
type walRecord struct {
	hardState *raftpb.HardState
	// voters is in the first record of a new log only.
	voters  *raftpb.ConfState
	entries []*raftpb.Entry
}

const (
	tagHardState byte = 1
	tagVoters    byte = 2
	tagEntry     byte = 3
)

func (r walRecord) encode() ([]byte, error) {
	data := make([]byte, 4)
	var err error
	field := func(tag byte, m proto.Message) {
		if err == nil {
			data = append(data, tag)
			data = binary.AppendUvarint(data, uint64(proto.Size(m)))
			data, err = proto.MarshalOptions{}.MarshalAppend(data, m)
		}
	}
	if r.hardState != nil {
		field(tagHardState, r.hardState)
	}
	if r.voters != nil {
		field(tagVoters, r.voters)
	}
	for _, e := range r.entries {
		field(tagEntry, e)
	}
	binary.LittleEndian.PutUint32(data, crc32.Checksum(data[4:], castagnoli))
	return data, err
}

// shapedLikeRecord reports whether data could be a record. It is much cheaper
// than a checksum, and knows the fields of this release only.
func shapedLikeRecord(data []byte) bool {
	if len(data) <= 4 {
		return false
	}
	for rest := data[4:]; len(rest) > 0; {
		if rest[0] < tagHardState || rest[0] > tagEntry {
			return false
		}
		_, size := framed(rest[1:])
		if size == 0 {
			return false
		}
		rest = rest[1+size:]
	}
	return true
}

// soundRecord reports whether data is a whole record.
func soundRecord(data []byte) bool {
	return len(data) > 4 && binary.LittleEndian.Uint32(data) == crc32.Checksum(data[4:], castagnoli)
}

func decodeWALRecord(data []byte) (walRecord, error) {
	var r walRecord
	if !soundRecord(data) {
		return r, module.Fatalf("its checksum is wrong")
	}
	for rest := data[4:]; len(rest) > 0; {
		message, size := framed(rest[1:])
		if size == 0 {
			return r, module.Fatalf("a field is cut off")
		}
		if err := r.decodeField(rest[0], message); err != nil {
			return r, err
		}
		rest = rest[1+size:]
	}
	return r, nil
}

func (r *walRecord) decodeField(tag byte, data []byte) error {
	switch tag {
	case tagHardState:
		r.hardState = &raftpb.HardState{}
		return proto.Unmarshal(data, r.hardState)
	case tagVoters:
		r.voters = &raftpb.ConfState{}
		return proto.Unmarshal(data, r.voters)
	case tagEntry:
		e := &raftpb.Entry{}
		r.entries = append(r.entries, e)
		return proto.Unmarshal(data, e)
	default:
		return module.Fatalf("field %d is unknown: a later release wrote it", tag)
	}
}
