package raft

import (
	"encoding/binary"

	"odradek.dev/sdk/module"
)

// encodeBatch makes one Raft entry's data of the entries of one Append: each
// with its length, as an unsigned varint, before it. The data of the entry
// that a new leader commits first is empty: a batch of none.
func encodeBatch(entries [][]byte) []byte {
	size := 0
	for _, e := range entries {
		size += binary.MaxVarintLen32 + len(e)
	}
	data := make([]byte, 0, size)
	for _, e := range entries {
		data = binary.AppendUvarint(data, uint64(len(e)))
		data = append(data, e...)
	}
	return data
}

// decodeBatch returns the entries, which alias data.
func decodeBatch(data []byte) ([][]byte, error) {
	var entries [][]byte
	for len(data) > 0 {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, module.Fatalf("a batch of metadata entries is cut off, %d bytes before its end", len(data))
		}
		end := n + int(size)
		entries = append(entries, data[n:end:end])
		data = data[end:]
	}
	return entries, nil
}
