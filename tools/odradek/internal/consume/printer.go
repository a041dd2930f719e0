package consume

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/odradek/internal/render"
)

// printer writes records to a buffered output.
type printer struct {
	out    *bufio.Writer
	json   *json.Encoder
	format *kgo.RecordFormatter
	buffer []byte
}

const printBufferBytes = 256 << 10

func newPrinter(w io.Writer, output render.Format, format string) (*printer, error) {
	p := &printer{out: bufio.NewWriterSize(w, printBufferBytes)}
	if output == render.JSON {
		p.json = json.NewEncoder(p.out)
		p.json.SetEscapeHTML(false)
		return p, nil
	}
	formatter, err := kgo.NewRecordFormatter(format)
	if err != nil {
		return nil, fmt.Errorf("--format %q: %w; `odradek consume --help` lists the verbs", format, err)
	}
	p.format = formatter
	return p, nil
}

// document is a record in JSON. Bytes are base64, null is null.
type document struct {
	Topic       string   `json:"topic"`
	Partition   int32    `json:"partition"`
	Offset      int64    `json:"offset"`
	LeaderEpoch int32    `json:"leader_epoch"`
	Timestamp   string   `json:"timestamp"`
	Key         []byte   `json:"key"`
	Value       []byte   `json:"value"`
	Headers     []header `json:"headers,omitempty"`
}

type header struct {
	Name  string `json:"name"`
	Value []byte `json:"value"`
}

func (p *printer) record(r *kgo.Record) error {
	if p.json != nil {
		return p.json.Encode(documentOf(r))
	}
	p.buffer = p.format.AppendRecord(p.buffer[:0], r)
	_, err := p.out.Write(p.buffer)
	return err
}

func documentOf(r *kgo.Record) document {
	d := document{
		Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, LeaderEpoch: r.LeaderEpoch,
		Timestamp: r.Timestamp.UTC().Format(time.RFC3339Nano), Key: r.Key, Value: r.Value,
	}
	for _, h := range r.Headers {
		d.Headers = append(d.Headers, header{h.Key, h.Value})
	}
	return d
}

func (p *printer) flush() error { return p.out.Flush() }
