package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

// Produce v8 is the last version without tags: the error code of the only
// partition then stands at a fixed place in the answer.
const (
	produceVersion   = 8
	produceErrorSkip = 4 + 4 // correlation id, topic count; the name follows
)

// driveProduce keeps w.inFlight requests under way on one connection.
func driveProduce(ctx context.Context, addr string, w workload, partition int32, m *meter) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	request := encodeProduce(w, partition)
	sent := make(chan time.Time, w.inFlight)
	failed := make(chan error, 1)
	go func() { failed <- readProduceAnswers(conn, w, len(request), sent, m) }()
	for ctx.Err() == nil {
		select {
		case sent <- time.Now():
			if _, err := conn.Write(request); err != nil {
				return unlessDone(ctx, err)
			}
		case err := <-failed:
			return unlessDone(ctx, err)
		}
	}
	return nil
}

func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func readProduceAnswers(conn net.Conn, w workload, size int, sent <-chan time.Time, m *meter) error {
	in := bufio.NewReaderSize(conn, 64<<10)
	errorAt := produceErrorSkip + 2 + len(w.topic()) + 4 + 4
	for {
		answer, err := readAnswer(in)
		if err != nil {
			return err
		}
		if code := int16(binary.BigEndian.Uint16(answer[errorAt:])); code != 0 {
			return fmt.Errorf("produce answered error %d", code)
		}
		m.add(int64(w.batch), int64(size), time.Since(<-sent))
	}
}

func readAnswer(in *bufio.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	answer := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(in, answer)
	return answer, err
}

func encodeProduce(w workload, partition int32) []byte {
	req := kmsg.NewPtrProduceRequest()
	req.Version = produceVersion
	req.Acks = 1
	req.TimeoutMillis = 30000
	topic := kmsg.NewProduceRequestTopic()
	topic.Topic = w.topic()
	part := kmsg.NewProduceRequestTopicPartition()
	part.Partition = partition
	part.Records = encodeBatch(w.batch, w.size)
	topic.Partitions = append(topic.Partitions, part)
	req.Topics = append(req.Topics, topic)
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID("bench")).AppendRequest(nil, req, 1)
}

// encodeBatch makes one uncompressed batch with values that do not compress.
func encodeBatch(records, size int) []byte {
	made := make([]recordtest.Record, records)
	now := time.Now().UnixMilli()
	state := uint32(2463534242)
	for i := range made {
		value := make([]byte, size)
		for j := range value {
			state ^= state << 13
			state ^= state >> 17
			state ^= state << 5
			value[j] = byte(state)
		}
		made[i] = recordtest.Record{Value: value, Timestamp: now}
	}
	return recordtest.Batch(recordtest.Spec{Records: made, LeaderEpoch: -1})
}
