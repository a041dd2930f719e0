package differential

import (
	"bytes"
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
			if p.Version >= firstOfZstd && d.chance(40) {
				partition.Records = unknownCodec(d, partition.Records)
			}
			t.Partitions = append(t.Partitions, partition)
		}
		p.Topics = append(p.Topics, t)
	}
}

// batch makes a batch that is to be accepted two times of three.
func (d *draw) batch(topic string, partition int32) []byte {
	at := place{d.IntN(producers), topic, partition}
	if before := d.accepted[at]; before != nil && d.chance(8) {
		return bytes.Clone(before)
	}
	spec := recordtest.Spec{Records: d.records(topic)}
	if d.chance(3) {
		d.idempotent(&spec, at)
	}
	if d.chance(4) {
		d.compress(&spec)
	}
	if d.chance(20) {
		spec.Control = true
	}
	batch := []byte(recordtest.Batch(spec))
	if d.chance(4) {
		spoiled := pick(d, flaws...)(d, bytes.Clone(batch))
		if skewed(topic, spoiled, batch) {
			return batch
		}
		return spoiled
	}
	if d.chance(40) {
		return append(batch, recordtest.Batch(spec)...)
	}
	if spec.ProducerID > 0 {
		d.accepted[at] = batch
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
			r.Timestamp = pick(d, -1, 0, d.now+2*3_600_000, d.now-2*3_600_000)
		}
	}
	if d.chance(30) {
		records[0].Value = make([]byte, pick(d, 3000, 1_100_000))
	}
	return records
}

// idempotent continues or breaks what a producer sent before.
func (d *draw) idempotent(spec *recordtest.Spec, at place) {
	spec.ProducerID, spec.BaseSequence = firstProducer+int64(at.producer), d.sequences[at]
	switch {
	case d.chance(6):
		spec.BaseSequence += pick[int32](d, 1, 100, -1, -3)
	case d.chance(12):
		spec.ProducerEpoch = pick[int16](d, 1, 1<<15-1, -1)
	case d.chance(12):
		spec.ProducerID = pick[int64](d, 1<<50, -2)
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
