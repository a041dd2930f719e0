package differential

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

// producers are the ids that the preparation takes.
const producers = 6

func (d *draw) produce(q kmsg.Request) {
	p := q.(*kmsg.ProduceRequest)
	p.Acks, p.TimeoutMillis = pick[int16](d, -1, -1, -1, 1, 1, 1, 0, 2, -2), 30_000
	for range pick(d, 0, 1, 1, 1, 1, 1, 2) {
		t := kmsg.NewProduceRequestTopic()
		t.Topic = d.topic()
		t.TopicID = topicPlaceholder(t.Topic)
		for range pick(d, 0, 1, 1, 1, 1, 2) {
			partition := kmsg.NewProduceRequestTopicPartition()
			partition.Partition = d.partition()
			// Never null: Kafka answers nothing then.
			partition.Records = d.batch(t.Topic, partition.Partition)
			t.Partitions = append(t.Partitions, partition)
		}
		p.Topics = append(p.Topics, t)
	}
}

// batch makes a batch of a codec that there is: for another Kafka fails on the
// whole request. It is to be accepted two times of three.
func (d *draw) batch(topic string, partition int32) []byte {
	spec := recordtest.Spec{Records: d.records(topic)}
	if d.chance(3) {
		d.idempotent(&spec, topic, partition)
	}
	if d.chance(4) {
		d.compress(&spec)
	}
	if topic != "zipped" && d.chance(20) {
		spec.Control = true
	}
	batch := []byte(recordtest.Batch(spec))
	// What a broker writes anew it reads more closely than it has to.
	rewritten := topic == "zipped" || topic == "stamped"
	if !rewritten && d.chance(4) {
		batch = pick(d, flaws...)(d, batch)
	}
	if !rewritten && d.chance(40) {
		batch = append(batch, recordtest.Batch(spec)...)
	}
	return batch
}

func (d *draw) records(topic string) []recordtest.Record {
	records := make([]recordtest.Record, pick(d, 1, 1, 2, 3, 10))
	for n := range records {
		r := &records[n]
		r.Timestamp = d.now - int64(d.IntN(120_000))
		if topic == "compacted" && !d.chance(5) || d.chance(2) {
			r.Key = fmt.Appendf(nil, "key-%d", d.IntN(5))
		}
		if !d.chance(6) {
			r.Value = []byte(strings.Repeat("value ", pick(d, 0, 1, 2, 10, 40)))
		}
		if d.chance(6) {
			r.Headers = []recordtest.Header{{Key: "h", Value: []byte("v")}, {Key: ""}}
		}
		if d.chance(60) {
			r.Timestamp = pick(d, -1, 0, d.now+2*3_600_000)
		}
	}
	if d.chance(30) {
		records[0].Value = make([]byte, pick(d, 3000, 1_100_000))
	}
	return records
}

// idempotent continues, repeats or breaks what a producer sent before.
func (d *draw) idempotent(spec *recordtest.Spec, topic string, partition int32) {
	at := place{d.IntN(producers), topic, partition}
	spec.ProducerID, spec.BaseSequence = firstProducer+int64(at.producer), d.sequences[at]
	switch {
	case d.chance(6):
		spec.BaseSequence += pick[int32](d, 1, 100, -1, -3)
	case d.chance(12):
		spec.ProducerEpoch = pick[int16](d, 1, 1<<15-1)
	case d.chance(12):
		spec.ProducerID = 1 << 50
	default:
		d.sequences[at] += int32(len(spec.Records))
	}
}

func (d *draw) compress(spec *recordtest.Spec) {
	codecs := []kgo.CompressionCodec{kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}
	compressor, err := kgo.DefaultCompressor(pick(d, codecs...))
	if err != nil {
		panic(err)
	}
	// Which codec it was is known only after the records are compressed.
	var buffer bytes.Buffer
	_, codec := compressor.Compress(&buffer, []byte("records"))
	spec.Codec = int8(codec)
	spec.Compress = func(records []byte) []byte {
		buffer.Reset()
		compressed, _ := compressor.Compress(&buffer, records)
		return bytes.Clone(compressed)
	}
}

// flaws spoil a batch. Those that change what the CRC covers set it anew. Bytes
// behind the batch are left out: Kafka drops them and accepts the batch, and the
// logs would not be the same any more.
var flaws = []func(*draw, []byte) []byte{
	func(d *draw, b []byte) []byte { return b[:d.IntN(len(b))] },
	func(d *draw, b []byte) []byte { return []byte{} },
	func(d *draw, b []byte) []byte { b[crcAt] ^= 1; return b },
	// A negative magic is left out: Kafka then refuses all partitions of the request.
	func(d *draw, b []byte) []byte { b[16] = pick[byte](d, 0, 1, 3, 127); return b },
	func(d *draw, b []byte) []byte { binary.BigEndian.PutUint64(b, 77); return b },
	func(d *draw, b []byte) []byte { binary.BigEndian.PutUint32(b[12:], 99); return b },
	// A length that no batch has. One below the smallest possible is left out: Kafka
	// then refuses the other partitions of the request too.
	func(d *draw, b []byte) []byte {
		binary.BigEndian.PutUint32(b[8:], pick[uint32](d, 40, 48))
		return b
	},
	// The count of records, and the offset of the last. Kafka takes memory for as
	// many as are said to be there, and ends when there are too many.
	func(d *draw, b []byte) []byte { return summed(b, 57, pick[uint32](d, 0, 1<<32-1, 1000, 5)) },
	func(d *draw, b []byte) []byte { return summed(b, 23, pick[uint32](d, 1<<32-1, 1<<31-1, 7)) },
	// Bits of the attributes that mean nothing. Those of the time of the append and
	// of the delete horizon are left out: Kafka accepts them.
	func(d *draw, b []byte) []byte { return summedShort(b, 21, pick[uint16](d, 0x80, 0x8000)) },
	// Bytes of the first record; those of a compressed one Odradek need not read.
	func(d *draw, b []byte) []byte {
		if at, value := 61+d.IntN(6), byte(d.IntN(256)); b[22]&7 == 0 {
			return summedByte(b, at, value)
		}
		return b
	},
	// The first timestamp and the last; Kafka does not look at the last of what is
	// compressed.
	func(d *draw, b []byte) []byte {
		if at, value := pick(d, 27, 31, 35, 39), pick[uint32](d, 0, 1<<32-1); b[22]&7 == 0 {
			return summed(b, at, value)
		}
		return b
	},
}

func summed(batch []byte, at int, value uint32) []byte {
	binary.BigEndian.PutUint32(batch[at:], value)
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}

func summedShort(batch []byte, at int, bits uint16) []byte {
	binary.BigEndian.PutUint16(batch[at:], binary.BigEndian.Uint16(batch[at:])|bits)
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}

func summedByte(batch []byte, at int, value byte) []byte {
	batch[at] = value
	binary.BigEndian.PutUint32(batch[crcAt:], checksum(batch))
	return batch
}
