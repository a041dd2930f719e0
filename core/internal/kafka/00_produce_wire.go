package kafka

import (
	"slices"
	"unsafe"

	"github.com/twmb/franz-go/pkg/kbin"

	"odradek.dev/core/internal/partition"
)

// decode reads the request. Names and records stay in the read buffer. It goes
// over the request twice, so that what it needs is allocated once, and only
// when the whole is known to be sound.
func (p *produceCall) decode(r *request) error {
	p.version, p.correlation = r.version, r.correlation
	topics, partitions := 0, 0
	err := p.walk(r, func(produceTopic) { topics++ }, func(producePartition) { partitions++ })
	if err != nil {
		return err
	}
	b := newBudget(r.body)
	if !b.spend(topics, unsafe.Sizeof(produceTopic{})) || !b.spend(partitions, unsafe.Sizeof(producePartition{})) {
		return errMalformed
	}
	p.topics = slices.Grow(p.topics, topics)
	p.partitions = slices.Grow(p.partitions, partitions)
	return p.walk(r, func(t produceTopic) {
		p.topics = append(p.topics, t)
	}, func(part producePartition) {
		p.partitions = append(p.partitions, part)
	})
}

// walk visits partitions, and their topic after them.
func (p *produceCall) walk(r *request, topic func(produceTopic), partition func(producePartition)) error {
	c := cursor{b: r.body, flexible: r.version >= 9}
	p.transactional = c.text() != nil
	p.acks, p.timeoutMs = c.int16(), c.int32()
	end := 0
	for range c.count(leastTopic) {
		t := produceTopic{first: end}
		if r.version >= 13 {
			t.id = c.uuid()
		} else {
			t.name = c.text()
		}
		partitions := c.count(leastProducePartition)
		for range partitions {
			partition(producePartition{index: c.int32(), records: c.blob()})
			c.tags()
		}
		end += partitions
		t.end = end
		topic(t)
		c.tags()
		if c.bad {
			return errMalformed
		}
	}
	c.tags()
	if c.bad || len(c.b) > 0 {
		return errMalformed
	}
	return nil
}

// The least that the elements of arrays take: in flexible versions a topic is
// a name, a count and tags of a byte each, a partition an index, a length and
// tags.
const (
	leastTopic            = 3
	leastProducePartition = 6
)

// encode appends the response body.
func (p *produceCall) encode(b []byte, nodes *endpoints) []byte {
	flexible := p.version >= 9
	b = appendCount(b, len(p.topics), flexible)
	for i := range p.topics {
		t := &p.topics[i]
		switch {
		case p.version >= 13:
			b = append(b, t.id[:]...)
		case t.topic != nil:
			b = appendText(b, t.topic.Name, flexible)
		default:
			b = appendText(b, t.name, flexible)
		}
		b = appendCount(b, t.end-t.first, flexible)
		for j := t.first; j < t.end; j++ {
			b = p.encodePartition(b, &p.partitions[j], nodes)
		}
		b = appendNoTags(b, flexible)
	}
	b = kbin.AppendInt32(b, 0) // throttle time
	if p.version >= 10 {
		return nodes.append(b)
	}
	return appendNoTags(b, flexible)
}

func (p *produceCall) encodePartition(b []byte, part *producePartition, nodes *endpoints) []byte {
	flexible, a := p.version >= 9, &part.outcome
	b = kbin.AppendInt32(b, part.index)
	b = kbin.AppendInt16(b, codeOf(a.Refusal))
	b = kbin.AppendInt64(b, a.BaseOffset)
	b = kbin.AppendInt64(b, a.LogAppendTimeMs)
	if p.version >= 5 {
		b = kbin.AppendInt64(b, a.LogStartOffset)
	}
	if p.version >= 8 {
		b = appendRecordErrors(b, a.Refusal, flexible)
	}
	if p.version >= 10 {
		return nodes.appendLeader(b, 0, a.Leader, a.Epoch)
	}
	return appendNoTags(b, flexible)
}

// appendRecordErrors says which record is wrong and why, and why the batch.
func appendRecordErrors(b []byte, refusal *partition.Refusal, flexible bool) []byte {
	if refusal == nil {
		b = appendCount(b, 0, flexible)
		return appendNull(b, flexible)
	}
	if refusal.Record < 0 {
		b = appendCount(b, 0, flexible)
		return appendText(b, refusal.Message, flexible)
	}
	b = appendCount(b, 1, flexible)
	b = kbin.AppendInt32(b, refusal.Record)
	b = appendText(b, refusal.Message, flexible)
	b = appendNoTags(b, flexible)
	return appendText(b, refusal.Message, flexible)
}

func codeOf(r *partition.Refusal) int16 {
	if r == nil {
		return 0
	}
	return r.Kind.Code
}
