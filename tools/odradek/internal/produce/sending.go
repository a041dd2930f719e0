package produce

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"
)

// recordShape is how a line becomes a record.
type recordShape struct {
	topic     string
	separator []byte
	headers   []kgo.RecordHeader
	partition int32
}

func (s recordShape) record(line []byte) *kgo.Record {
	r := &kgo.Record{Topic: s.topic, Value: line, Headers: s.headers, Partition: s.partition}
	if len(s.separator) > 0 {
		if key, value, found := bytes.Cut(line, s.separator); found {
			r.Key, r.Value = key, value
		}
	}
	return r
}

// sending counts what the broker acknowledged, and stops at the first record
// that it did not.
type sending struct {
	client     *kgo.Client
	place      placement
	records    atomic.Int64
	valueBytes atomic.Int64

	failOnce sync.Once
	failed   chan struct{}
	// failure may be read once failed is closed.
	failure error
}

func newSending(client *kgo.Client, place placement) *sending {
	return &sending{client: client, place: place, failed: make(chan struct{})}
}

// sendAll sends the lines until the last, or until a record has failed; the
// failure itself is reported by wait. Lines read before one that is too long
// are sent.
func (s *sending) sendAll(ctx context.Context, input *lines, shape recordShape) error {
	var pending []*kgo.Record
	for {
		select {
		case <-s.failed:
			return nil
		default:
		}
		line, readErr := input.next()
		if readErr == nil {
			pending = append(pending, shape.record(line))
		}
		if readErr != nil || len(pending) == s.place.batchRecords() || input.drained() {
			if err := s.send(ctx, pending); err != nil {
				return err
			}
			pending = pending[:0]
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

func (s *sending) send(ctx context.Context, records []*kgo.Record) error {
	if len(records) == 0 {
		return nil
	}
	if err := s.place.place(ctx, records); err != nil {
		return err
	}
	for _, r := range records {
		s.client.Produce(ctx, r, s.acknowledged)
	}
	return nil
}

func (s *sending) acknowledged(r *kgo.Record, err error) {
	if err != nil {
		s.failOnce.Do(func() { s.failure = err; close(s.failed) })
		return
	}
	s.records.Add(1)
	s.valueBytes.Add(int64(len(r.Value)))
}

// wait returns once every record that was sent is acknowledged or has failed,
// with the first failure.
func (s *sending) wait(ctx context.Context) error {
	err := s.client.Flush(ctx)
	select {
	case <-s.failed:
		return s.failure
	default:
		return err
	}
}
