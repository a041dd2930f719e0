package partition

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// The layout of a producer snapshot, Kafka's own. All integers are big-endian.
//
//	0  version       int16   1
//	2  crc           uint32  CRC-32C of what follows it
//	6  entries       int32
//	10 46 bytes for each entry:
//	   producerId int64, epoch int16, lastSequence int32, lastOffset int64,
//	   offsetDelta int32, timestamp int64, coordinatorEpoch int32,
//	   currentTxnFirstOffset int64
const (
	snapshotVersion   = 1
	snapshotCRCAt     = 2
	snapshotCountAt   = 6
	snapshotHeader    = 10
	snapshotEntrySize = 46
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// snapshot encodes the producers that have not expired. Of the batches of a
// producer it has only the last, as Kafka's does.
func (p *producers) snapshot(nowMs int64) []byte {
	ids := make([]int64, 0, len(p.byID))
	for id, known := range p.byID {
		if !p.expired(known, nowMs) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	out := make([]byte, snapshotHeader, snapshotHeader+len(ids)*snapshotEntrySize)
	binary.BigEndian.PutUint16(out, snapshotVersion)
	binary.BigEndian.PutUint32(out[snapshotCountAt:], uint32(len(ids)))
	for _, id := range ids {
		out = appendEntry(out, id, p.byID[id])
	}
	binary.BigEndian.PutUint32(out[snapshotCRCAt:], crc32.Checksum(out[snapshotCountAt:], castagnoli))
	return out
}

func appendEntry(out []byte, id int64, known *producer) []byte {
	const none = -1
	newest := sequenced{first: none, last: none, lastOffset: none, timestamp: none}
	if known.count > 0 {
		newest = known.batches[0]
	}
	out = binary.BigEndian.AppendUint64(out, uint64(id))
	out = binary.BigEndian.AppendUint16(out, uint16(known.epoch))
	out = binary.BigEndian.AppendUint32(out, uint32(newest.last))
	out = binary.BigEndian.AppendUint64(out, uint64(newest.lastOffset))
	out = binary.BigEndian.AppendUint32(out, uint32(offsetDelta(newest.first, newest.last)))
	out = binary.BigEndian.AppendUint64(out, uint64(newest.timestamp))
	coordinatorEpoch, transactionFirst := int32(none), int64(none)
	out = binary.BigEndian.AppendUint32(out, uint32(coordinatorEpoch))
	return binary.BigEndian.AppendUint64(out, uint64(transactionFirst))
}

// load replaces the state by that of a snapshot. When it errs, the state is
// empty and has to be made from the log.
func (p *producers) load(b []byte, nowMs int64) error {
	p.byID = nil
	if len(b) < snapshotHeader {
		return fmt.Errorf("producer snapshot of %d bytes is too short", len(b))
	}
	if v := binary.BigEndian.Uint16(b); v != snapshotVersion {
		return fmt.Errorf("producer snapshot has the version %d; only %d is known", v, snapshotVersion)
	}
	if crc32.Checksum(b[snapshotCountAt:], castagnoli) != binary.BigEndian.Uint32(b[snapshotCRCAt:]) {
		return fmt.Errorf("producer snapshot has a wrong checksum")
	}
	count := int64(binary.BigEndian.Uint32(b[snapshotCountAt:]))
	entries := b[snapshotHeader:]
	if count*snapshotEntrySize != int64(len(entries)) {
		return fmt.Errorf("producer snapshot of %d entries has %d bytes of them", count, len(entries))
	}
	for ; len(entries) > 0; entries = entries[snapshotEntrySize:] {
		p.loadEntry(entries, nowMs)
	}
	return nil
}

func (p *producers) loadEntry(e []byte, nowMs int64) {
	known := p.add(int64(binary.BigEndian.Uint64(e)), nowMs)
	known.epoch = int16(binary.BigEndian.Uint16(e[8:]))
	known.seenMs = nowMs
	last, delta := int32(binary.BigEndian.Uint32(e[10:])), int32(binary.BigEndian.Uint32(e[22:]))
	if last < 0 {
		return
	}
	known.count = 1
	known.batches[0] = sequenced{
		first: offsetDelta(delta, last), last: last,
		lastOffset: int64(binary.BigEndian.Uint64(e[14:])), timestamp: int64(binary.BigEndian.Uint64(e[26:])),
	}
}
