package kafka

import (
	"github.com/twmb/franz-go/pkg/kbin"

	"odradek.dev/core/internal/refusal"
)

// decode reads the request. Names and records stay in the read buffer.
func (p *produceCall) decode(r *request) error {
	p.version, p.correlation = r.version, r.correlation
	if err := p.walk(r); err != nil {
		return err
	}
	if !p.makeRoom(len(r.body)) {
		return errMalformed
	}
	return p.walk(r)
}

func (p *produceCall) walk(r *request) error {
	c := cursor{b: r.body, flexible: r.version >= 9}
	p.transactional = c.text() != nil
	p.acks, p.timeoutMs = c.int16(), c.int32()
	end := 0
	for range c.count(leastTopic) {
		t := namedTopic{first: end}
		t.read(&c, p.byID())
		partitions := c.count(leastProducePartition)
		for range partitions {
			p.addPartition(producePartition{index: c.int32(), records: c.blob()})
			c.tags()
		}
		end += partitions
		t.end = end
		if partitions > 0 {
			p.addTopic(t)
		}
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

// leastProducePartition is the least that a partition takes: in flexible
// versions it is an index, a length and tags.
const leastProducePartition = 6

// encode appends the response body.
func (p *produceCall) encode(b []byte, nodes *endpoints) []byte {
	flexible := p.version >= 9
	b = appendCount(b, len(p.topics), flexible)
	for i := range p.topics {
		t := &p.topics[i]
		b = t.appendName(b, p.byID(), flexible)
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
	b = kbin.AppendInt16(b, a.Refusal.Code())
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

// appendRecordErrors says which records are wrong and why, and why the batch.
func appendRecordErrors(b []byte, refused *refusal.Refusal, flexible bool) []byte {
	if refused == nil {
		b = appendCount(b, 0, flexible)
		return appendNull(b, flexible)
	}
	b = appendCount(b, len(refused.Records), flexible)
	for _, r := range refused.Records {
		b = kbin.AppendInt32(b, r.Index)
		b = appendText(b, r.Message, flexible)
		b = appendNoTags(b, flexible)
	}
	return appendText(b, refused.Message, flexible)
}
