package remote

import (
	"encoding/binary"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
)

// appendBatch appends the payload of a partition request, all integers
// big-endian:
//
//	u16 length of the topic's name, name
//	i32 partitions, i64 epoch
//	u32 count of available partitions, i32 each
//	u32 count of records, i32 length of each key (-1 null)
//	u32 count of sizes, i32 each
//	the keys, to the end
func appendBatch(b []byte, batch partitioner.Batch) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(batch.Topic.Name)))
	b = append(b, batch.Topic.Name...)
	b = binary.BigEndian.AppendUint32(b, uint32(batch.Topic.Partitions))
	b = binary.BigEndian.AppendUint64(b, uint64(batch.Topic.Epoch))
	b = appendColumn(b, batch.Topic.Available)
	b = appendColumn(b, batch.Keys.Lens)
	b = appendColumn(b, batch.Sizes)
	return append(b, batch.Keys.Data...)
}

// parseBatch reads what appendBatch wrote. The keys alias b.
func parseBatch(b []byte) (partitioner.Batch, error) {
	var batch partitioner.Batch
	if len(b) < 2 {
		return batch, errShort()
	}
	n := int(binary.BigEndian.Uint16(b))
	if b = b[2:]; len(b) < n+12 {
		return batch, errShort()
	}
	batch.Topic.Name = string(b[:n])
	batch.Topic.Partitions = int32(binary.BigEndian.Uint32(b[n:]))
	batch.Topic.Epoch = int64(binary.BigEndian.Uint64(b[n+4:]))
	b = b[n+12:]
	for _, column := range []*[]int32{&batch.Topic.Available, &batch.Keys.Lens, &batch.Sizes} {
		var ok bool
		if *column, b, ok = takeColumn(b); !ok {
			return batch, errShort()
		}
	}
	batch.Keys.Data = b
	return batch, checkKeys(batch.Keys)
}

func checkKeys(keys record.Blobs) error {
	if !keys.Valid() {
		return module.Invalidf("the lengths of the keys do not add up to the %d bytes of keys", len(keys.Data))
	}
	return nil
}

func errShort() error { return module.Invalidf("the partition request is shorter than its counts say") }

// appendColumn appends a count and the values.
func appendColumn(b []byte, values []int32) []byte {
	return appendInts(binary.BigEndian.AppendUint32(b, uint32(len(values))), values)
}

func appendInts(b []byte, values []int32) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// takeColumn allocates only what the bytes that are there can fill.
func takeColumn(b []byte) (values []int32, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := int64(binary.BigEndian.Uint32(b))
	if b = b[4:]; n*4 > int64(len(b)) {
		return nil, nil, false
	}
	return parseInts(b[:n*4]), b[n*4:], true
}

// parseInts returns nil for no bytes; len(b) is a multiple of four.
func parseInts(b []byte) []int32 {
	if len(b) == 0 {
		return nil
	}
	values := make([]int32, len(b)/4)
	for i := range values {
		values[i] = int32(binary.BigEndian.Uint32(b[4*i:]))
	}
	return values
}
