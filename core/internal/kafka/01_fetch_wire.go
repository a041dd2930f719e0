package kafka

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/fetchsession"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/storage"
)

// decode reads the request. Names stay in the read buffer.
func (f *fetchCall) decode(r *request) error {
	f.version, f.correlation = r.version, r.correlation
	if err := f.walk(r); err != nil {
		return err
	}
	if !f.makeRoom(len(r.body)) {
		return errMalformed
	}
	return f.walk(r)
}

func (f *fetchCall) walk(r *request) error {
	c := cursor{b: r.body, flexible: r.version >= 12}
	f.replica = -1
	if r.version <= 14 {
		f.replica = c.int32()
	}
	f.maxWaitMs, f.minBytes, f.maxBytes = c.int32(), c.int32(), c.int32()
	f.committed = c.int8() == 1
	f.sessionEpoch = fetchsession.FinalEpoch
	if r.version >= 7 {
		f.sessionID, f.sessionEpoch = c.int32(), c.int32()
	}
	end := 0
	for range c.count(leastTopic) {
		t := f.walkTopic(&c, end)
		if c.bad {
			return errMalformed
		}
		if t.end > end {
			f.addTopic(t)
		}
		end = t.end
	}
	if r.version >= 7 {
		forgotten := c.b
		eachForgotten(&c, r.version, nil)
		f.forgotten = forgotten[:len(forgotten)-len(c.b)]
	}
	if r.version >= 11 {
		c.name() // rack
	}
	f.walkTags(&c)
	if c.bad || len(c.b) > 0 {
		return errMalformed
	}
	return nil
}

// walkTags reads the replica state, which took the place of the replica id
// (KIP-903): a structure of an id, an epoch and tags.
func (f *fetchCall) walkTags(c *cursor) {
	c.eachTag(func(tag int, value []byte) {
		if tag == replicaStateTag && f.version >= 15 && len(value) >= 4 {
			f.replica = int32(binary.BigEndian.Uint32(value))
		}
	})
}

// replicaStateTag is that of the request.
const replicaStateTag = 1

func (f *fetchCall) walkTopic(c *cursor, first int) namedTopic {
	t := namedTopic{first: first}
	t.read(c, f.byID())
	partitions := c.count(leastFetchPartition)
	for range partitions {
		part := fetchPartition{index: c.int32(), epoch: partition.AnyEpoch, lastEpoch: -1}
		if f.version >= 9 {
			part.epoch = max(c.int32(), partition.AnyEpoch)
		}
		part.offset = c.int64()
		if f.version >= 12 {
			part.lastEpoch = c.int32()
		}
		if f.version >= 5 {
			c.int64() // log start offset of a follower
		}
		part.maxBytes = c.int32()
		c.tags()
		f.addPartition(part)
	}
	t.end = first + partitions
	c.tags()
	return t
}

// leastFetchPartition is what a partition takes in the oldest version: index,
// offset and limit.
const leastFetchPartition = 16

// eachForgotten visits what a session is to leave out; with nil it skips it. The
// topic is a copy, so that the visitor does not move each one to the heap.
func eachForgotten(c *cursor, version int16, visit func(t namedTopic, index int32)) {
	for range c.count(leastTopic) {
		var t namedTopic
		t.read(c, version >= 13)
		n := c.count(4)
		if visit == nil {
			c.take(4 * n)
		} else {
			for range n {
				visit(t, c.int32())
			}
		}
		c.tags()
	}
}

// encode appends the response body.
func (f *fetchCall) encode(out *outbound, nodes *endpoints) {
	flexible := f.version >= 12
	out.buf = kbin.AppendInt32(out.buf, 0) // throttle time
	if f.version >= 7 {
		out.buf = kbin.AppendInt16(out.buf, f.failure)
		out.buf = kbin.AppendInt32(out.buf, f.sessionID)
	}
	out.buf = appendCount(out.buf, len(f.topics), flexible)
	for i := range f.topics {
		t := &f.topics[i]
		out.buf = t.appendName(out.buf, f.byID(), flexible)
		out.buf = appendCount(out.buf, t.end-t.first, flexible)
		for j := t.first; j < t.end; j++ {
			f.encodePartition(out, &f.partitions[j], nodes)
		}
		out.buf = appendNoTags(out.buf, flexible)
	}
	if f.version >= 16 && f.replica < 0 { // brokers know where the others are
		out.buf = nodes.append(out.buf)
	} else {
		out.buf = appendNoTags(out.buf, flexible)
	}
}

// encodePartition appends a partition and its records. If a file of theirs is no
// longer there, since compaction or retention was quicker, they are looked for
// once more; if they cannot be had after all, there is an error in their place.
func (f *fetchCall) encodePartition(out *outbound, part *fetchPartition, nodes *endpoints) {
	before := out.mark()
	if !f.appendFound(out, part) {
		out.backTo(before)
		f.readPartition(part, part.found.Chunk.Bytes())
		if !f.appendFound(out, part) {
			out.backTo(before)
			part.found = refusedFetch(unreadable)
			f.encodeFields(out, part)
		}
	}
	switch {
	case f.version >= 12 && part.found.Diverging != nil:
		out.buf = appendDiverging(out.buf, *part.found.Diverging)
	case f.version >= 16:
		out.buf = nodes.appendLeader(out.buf, currentLeaderTag, part.found.Leader, part.found.Epoch)
	case f.version >= 12:
		out.buf = append(out.buf, 0)
	}
}

// appendFound reports false if it came to the end of what can be read.
func (f *fetchCall) appendFound(out *outbound, part *fetchPartition) bool {
	f.encodeFields(out, part)
	for _, e := range part.found.Chunk.Extents {
		if !appendExtent(out, part.from, e) {
			return false
		}
	}
	return true
}

// The tags of a partition in a Fetch response. A diverging epoch and a current
// leader are never there together.
const (
	divergingEpochTag = 0
	currentLeaderTag  = 1
)

// appendDiverging appends the tagged fields of a partition: where the reader's log
// and this one part.
func appendDiverging(b []byte, end partition.EpochEnd) []byte {
	b = append(b, 1, divergingEpochTag, 4+8+1)
	b = kbin.AppendInt32(b, end.Epoch)
	b = kbin.AppendInt64(b, end.Offset)
	return append(b, 0)
}

// encodeFields appends all up to the records, whose length is the last.
func (f *fetchCall) encodeFields(out *outbound, part *fetchPartition) {
	flexible, found := f.version >= 12, &part.found
	b := kbin.AppendInt32(out.buf, part.index)
	b = kbin.AppendInt16(b, f.code(found.Refusal))
	b = kbin.AppendInt64(b, found.HighWatermark)
	b = kbin.AppendInt64(b, found.HighWatermark) // last stable offset: there are no transactions
	if f.version >= 5 {
		b = kbin.AppendInt64(b, found.LogStartOffset)
	}
	b = appendAborted(b, f.committed, flexible)
	if f.version >= 11 {
		b = kbin.AppendInt32(b, -1) // preferred read replica
	}
	if n := found.Chunk.Bytes(); flexible {
		b = binary.AppendUvarint(b, uint64(n)+1)
	} else {
		b = kbin.AppendInt32(b, int32(n))
	}
	out.buf = b
}

// code spares clients of old versions a code that they take for the end.
func (f *fetchCall) code(refused *refusal.Refusal) int16 {
	if f.version <= 5 && refused.Code() == kerr.KafkaStorageError.Code {
		return kerr.NotLeaderForPartition.Code
	}
	return refused.Code()
}

// appendAborted is the list of aborted transactions: empty for a reader of
// committed records, null for others.
func appendAborted(b []byte, committed, flexible bool) []byte {
	if committed {
		return appendCount(b, 0, flexible)
	}
	return appendCount(b, -1, flexible)
}

// Extents shorter than inlineBelow are copied into the answer: for these a
// read costs less than a system call to send them. Not beyond inlineMost in
// one answer, so that many of them do not add up.
const (
	inlineBelow = 32 << 10
	inlineMost  = 1 << 20
)

func appendExtent(out *outbound, from *partition.Partition, e storage.Extent) bool {
	inline := e.Length < inlineBelow && len(out.buf) < inlineMost
	switch {
	case e.Data != nil && inline:
		out.buf = append(out.buf, e.Data...)
		return true
	case e.Data != nil:
		out.appendData(e.Data)
		return true
	}
	file, err := from.Open(e.File)
	if err != nil {
		return false
	}
	if !inline {
		out.appendFile(file, e.Position, e.Length)
		return true
	}
	defer file.Release()
	at := len(out.buf)
	out.buf = grow(out.buf, int(e.Length))
	_, err = file.ReadAt(out.buf[at:], e.Position)
	return err == nil
}

// grow lengthens b by n bytes of any content.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		b = append(make([]byte, 0, 2*(len(b)+n)), b...)
	}
	return b[:len(b)+n]
}
