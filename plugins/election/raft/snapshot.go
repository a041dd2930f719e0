package raft

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// snapshot is the file "snapshot":
//
//	uint32 CRC-32C of the rest | uvarint length of the header | header | state
//
// The header is JSON, the state the host's. Numbers are little-endian.
type snapshot struct {
	header snapshotHeader
	state  []byte
}

type snapshotHeader struct {
	Version int `json:"version"`
	// Index is that of the last entry that the state stands for.
	Index int64 `json:"index"`
	// RaftIndex and RaftTerm are of the last Raft entry that is wholly in it,
	// which ended with entry Base <= Index.
	RaftIndex uint64   `json:"raft_index"`
	RaftTerm  uint64   `json:"raft_term"`
	Base      int64    `json:"base"`
	Voters    []uint64 `json:"voters"`
}

const snapshotVersion = 0

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// writeSnapshot replaces the file at path. Whenever a crash strikes, the old
// file or the new one is there whole.
func writeSnapshot(files vfs.FS, dir, path string, s snapshot) error {
	header, err := json.Marshal(s.header)
	if err != nil {
		return err
	}
	body := binary.AppendUvarint(nil, uint64(len(header)))
	body = append(body, header...)
	sum := crc32.Update(crc32.Checksum(body, castagnoli), castagnoli, s.state)
	prefix := append(binary.LittleEndian.AppendUint32(nil, sum), body...)

	temporary := path + ".tmp"
	if err := writeSynced(files, temporary, prefix, s.state); err != nil {
		// What there was room for is given back.
		if left := files.Remove(temporary); left != nil && !errors.Is(left, fs.ErrNotExist) {
			return errors.Join(err, left)
		}
		return err
	}
	if err := files.Rename(temporary, path); err != nil {
		return err
	}
	return files.SyncDir(dir)
}

func writeSynced(files vfs.FS, path string, parts ...[]byte) (err error) {
	f, err := files.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	at := int64(0)
	for _, part := range parts {
		if _, err := f.WriteAt(part, at); err != nil {
			return err
		}
		at += int64(len(part))
	}
	return f.Sync()
}

// readSnapshot returns nil if there is no file at path.
func readSnapshot(files vfs.FS, path string) (*snapshot, error) {
	data, err := readFile(files, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	damaged := module.Fatalf("metadata snapshot %s is damaged: restore the folder from a copy, or from another broker", path)
	if len(data) < 4 || crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, damaged
	}
	size, n := binary.Uvarint(data[4:])
	if n <= 0 || size > uint64(len(data)-4-n) {
		return nil, damaged
	}
	var s snapshot
	if err := json.Unmarshal(data[4+n:4+n+int(size)], &s.header); err != nil {
		return nil, damaged
	}
	if s.header.Version != snapshotVersion {
		return nil, module.Fatalf("metadata snapshot %s has version %d and this release reads version %d", path, s.header.Version, snapshotVersion)
	}
	s.state = data[4+n+int(size):]
	return &s, nil
}

func readFile(files vfs.FS, path string) (data []byte, err error) {
	f, err := files.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	data = make([]byte, size)
	if n, err := f.ReadAt(data, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(data)) {
		return nil, err
	}
	return data, nil
}
