package raft

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// recoveryPoint is the file "recovery-point": the number of a record of the
// log that is durable. A log that ends before it has lost records, by whatever
// means, while one that a crash tore off ends at it or after it.
//
// There are two slots, of which records take turns, so that a write that is
// torn leaves the other. Each begins a block of the disk:
//
//	uint32 CRC-32C of the rest | uint64 number of the record
//
// Numbers are little-endian. A slot is written once the record is durable, and
// is synced itself only when the log is closed: it costs no second fsync, is
// exact after a kill, and after a power cut may be behind, but never ahead.
type recoveryPoint struct {
	file vfs.File
	// record is 0 in a folder that had none, or if the file is damaged.
	record uint64
}

const (
	slotSize  = 4 + 8
	slotEvery = 4096
)

func recoveryPointPath(dir string) string { return filepath.Join(dir, "recovery-point") }

// openRecoveryPoint makes the file if there is none. It is not readable if
// neither slot is: nothing is known of the log then.
func openRecoveryPoint(files vfs.FS, dir string) (p recoveryPoint, readable bool, err error) {
	if p.file, err = files.OpenFile(recoveryPointPath(dir), os.O_RDWR|os.O_CREATE, 0o640); err != nil {
		return p, false, err
	}
	content := make([]byte, slotEvery+slotSize)
	n, err := p.file.ReadAt(content, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return p, false, errors.Join(err, p.file.Close())
	}
	p.record = max(slotRecord(content[:slotSize]), slotRecord(content[slotEvery:]))
	return p, p.record > 0 || n == 0, nil
}

// slotRecord is 0 if the slot is empty or broken.
func slotRecord(slot []byte) uint64 {
	if crc32.Checksum(slot[4:], castagnoli) != binary.LittleEndian.Uint32(slot) {
		return 0
	}
	return binary.LittleEndian.Uint64(slot[4:])
}

// advance notes that a record is durable. Records are noted in ascending order.
func (p *recoveryPoint) advance(record uint64) error {
	slot := binary.LittleEndian.AppendUint64(make([]byte, 4, slotSize), record)
	binary.LittleEndian.PutUint32(slot, crc32.Checksum(slot[4:], castagnoli))
	if _, err := p.file.WriteAt(slot, int64(record%2)*slotEvery); err != nil {
		return module.Fatalf("%s cannot be written: %w", p.file.Name(), err)
	}
	p.record = record
	return nil
}

// close makes it durable.
func (p *recoveryPoint) close() error { return errors.Join(p.file.Sync(), p.file.Close()) }
