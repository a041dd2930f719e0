package differential

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"reflect"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// batches adds what stands in the records of a fetch: the headers, and a
// checksum of the records themselves, uncompressed.
func (f fields) batches(path string, raw []byte) {
	decompressor := kgo.DefaultDecompressor()
	for number := 0; len(raw) > 0; number++ {
		at := fmt.Sprintf("%s[#%d]", path, number)
		size := len(raw)
		if size >= batchHeader {
			size = 12 + int(binary.BigEndian.Uint32(raw[8:]))
		}
		var batch kmsg.RecordBatch
		if size > len(raw) || batch.ReadFrom(raw[:size]) != nil {
			f[at] = fmt.Sprintf("%d bytes of a batch", len(raw))
			return
		}
		f[at] = there
		f.batch(at, batch, decompressor)
		f[at+".CRCMatches"] = fmt.Sprint(checksum(raw[:size]) == uint32(batch.CRC))
		raw = raw[size:]
	}
}

func (f fields) batch(at string, batch kmsg.RecordBatch, decompressor kgo.Decompressor) {
	records, err := decompressor.Decompress(batch.Records, kgo.CompressionCodecType(batch.Attributes&7))
	f[at+".Content"] = fmt.Sprintf("%d bytes, %08x, %v", len(records), crc32.ChecksumIEEE(records), err)
	// They depend on the producer's id and on the codec's implementation.
	batch.CRC, batch.Length, batch.Records = 0, 0, nil
	f.structure(at, reflect.ValueOf(batch))
}
