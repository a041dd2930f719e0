package produce

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

var compressions = map[string]kgo.CompressionCodec{
	"none":   kgo.NoCompression(),
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
	"zstd":   kgo.ZstdCompression(),
}

// batchOverheadBytes is more than what a batch and a record cost beside the
// line itself.
const batchOverheadBytes = 1 << 10

func (p *producing) options() ([]kgo.Opt, error) {
	codec, ok := compressions[p.compression]
	if !ok {
		return nil, fmt.Errorf("--compression %q is not one of none, gzip, snappy, lz4, zstd", p.compression)
	}
	if p.maxMessageBytes < 1 {
		return nil, fmt.Errorf("--max-message-bytes %d must be at least 1", p.maxMessageBytes)
	}
	batch := max(p.maxMessageBytes+batchOverheadBytes, defaultMaxMessageBytes)
	opts := []kgo.Opt{
		kgo.ProducerBatchCompression(codec),
		kgo.ProducerBatchMaxBytes(int32(batch)),
		kgo.RecordDeliveryTimeout(deliveryTimeout),
	}
	if batch > defaultMaxMessageBytes {
		opts = append(opts, kgo.BrokerMaxWriteBytes(int32(max(2*batch, 100<<20))))
	}
	if p.autoCreate {
		opts = append(opts, kgo.AllowAutoTopicCreation())
	}
	switch p.acks {
	case "all", "-1":
		opts = append(opts, kgo.RequiredAcks(kgo.AllISRAcks()))
	case "1":
		opts = append(opts, kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite())
	case "0":
		opts = append(opts, kgo.RequiredAcks(kgo.NoAck()), kgo.DisableIdempotentWrite())
	default:
		return nil, fmt.Errorf("--acks %q is not one of all, 1, 0", p.acks)
	}
	return opts, nil
}
