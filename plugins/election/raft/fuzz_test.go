package raft

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// sealed has the checksum that b begins with be right.
func sealed(b []byte) []byte {
	if len(b) >= 4 {
		binary.LittleEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
	}
	return b
}

// A record of the log is refused, or is written again as it was understood.
func FuzzWALRecord(f *testing.F) {
	r := walRecord{
		hardState: &raftpb.HardState{Term: proto.Uint64(3), Vote: proto.Uint64(1), Commit: proto.Uint64(9)},
		voters:    &raftpb.ConfState{Voters: []uint64{1, 2, 3}},
		entries:   []*raftpb.Entry{{Term: proto.Uint64(3), Index: proto.Uint64(10), Data: []byte("entry")}},
	}
	whole, err := r.encode()
	require.NoError(f, err)
	f.Add(whole, false)
	f.Add(whole[:len(whole)-2], true)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		r, err := decodeWALRecord(data)
		if err != nil {
			return
		}
		again, err := r.encode()
		require.NoError(t, err)
		require.LessOrEqual(t, len(r.entries), len(data))
		if len(again) > 4 {
			_, err = decodeWALRecord(again)
			require.NoError(t, err)
			require.True(t, shapedLikeRecord(again))
		}
	})
}

// What is found in a file can be cut at its end, and a sound record behind it
// is never lost, whatever the file is.
func FuzzSegment(f *testing.F) {
	record, err := walRecord{hardState: &raftpb.HardState{Term: proto.Uint64(3), Commit: proto.Uint64(9)}}.encode()
	require.NoError(f, err)
	framed := append(binary.AppendUvarint(nil, uint64(len(record))), record...)
	f.Add(append(slices.Clone(framed), framed[:5]...))
	f.Add([]byte{200, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := scanSegment(data)
		require.Equal(t, scan{records: s.records, end: s.end, last: s.last}, scanSegment(data[:s.end]))
		longer := append(slices.Clone(data), framed...)
		s = scanSegment(longer)
		require.True(t, s.damaged || s.end == len(longer))
	})
}

// Entries of a batch alias its bytes, and come back as they were.
func FuzzBatch(f *testing.F) {
	f.Add(encodeBatch([][]byte{[]byte("one"), {}, []byte("three")}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := decodeBatch(data)
		if err != nil {
			require.Equal(t, module.Fatal, module.ClassOf(err))
			return
		}
		again, err := decodeBatch(encodeBatch(entries))
		require.NoError(t, err)
		require.Equal(t, entries, again)
	})
}

// A snapshot file is refused, or is written again as it was understood.
func FuzzSnapshotFile(f *testing.F) {
	files := vfs.NewMem()
	require.NoError(f, writeSnapshot(files, "/", "/snapshot", snapshot{header: snapshotHeader{Index: 7, Voters: []uint64{1}}, state: []byte("state")}))
	whole, err := readFile(files, "/snapshot")
	require.NoError(f, err)
	f.Add(whole, false)
	f.Add(whole[:len(whole)-9], true)
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, true)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		files := vfs.NewMem()
		require.NoError(t, writeSynced(files, "/snapshot", data))
		s, err := readSnapshot(files, "/snapshot")
		if err != nil {
			require.Equal(t, module.Fatal, module.ClassOf(err))
			return
		}
		require.NoError(t, writeSnapshot(files, "/", "/snapshot", *s))
		again, err := readSnapshot(files, "/snapshot")
		require.NoError(t, err)
		require.Equal(t, s, again)
	})
}
