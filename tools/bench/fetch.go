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
)

// fillBytes is what a partition holds before it is fetched from: more than one
// answer, and little enough to stay in the page cache.
const fillBytes = 64 << 20

const fetchBytes = 1 << 20

func fillTopic(ctx context.Context, addr string, w workload) error {
	for partition := range int32(w.conns) {
		if err := fillPartition(ctx, addr, w, partition); err != nil {
			return err
		}
	}
	return nil
}

func fillPartition(ctx context.Context, addr string, w workload, partition int32) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	request := encodeProduce(w, partition)
	for sent := 0; sent < fillBytes && ctx.Err() == nil; sent += len(request) {
		if _, err := conn.Write(request); err != nil {
			return err
		}
		if _, err := readAnswer(in); err != nil {
			return err
		}
	}
	return nil
}

// driveFetch reads one partition from its beginning again and again.
func driveFetch(ctx context.Context, addr string, w workload, partition int32, m *meter) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	in := bufio.NewReaderSize(conn, 256<<10)
	request, offsetAt := encodeFetch(w, partition)
	recordBytes := int64(len(encodeBatch(w.batch, w.size))) / int64(w.batch)
	end := int64(fillBytes) / (recordBytes * int64(w.batch)) * int64(w.batch)
	for offset := int64(0); ctx.Err() == nil; {
		binary.BigEndian.PutUint64(request[offsetAt:], uint64(offset))
		began := time.Now()
		if _, err := conn.Write(request); err != nil {
			return unlessDone(ctx, err)
		}
		size, err := skipAnswer(in)
		if err != nil {
			return unlessDone(ctx, err)
		}
		records := size / recordBytes
		if records == 0 {
			return fmt.Errorf("fetch at offset %d answered %d bytes", offset, size)
		}
		m.add(records, size, time.Since(began))
		if offset += records / int64(w.batch) * int64(w.batch); offset+int64(w.batch)*16 >= end {
			offset = 0
		}
	}
	return nil
}

func skipAnswer(in *bufio.Reader) (int64, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return 0, err
	}
	size := int64(binary.BigEndian.Uint32(length[:]))
	_, err := io.CopyN(io.Discard, in, size)
	return size, err
}

// encodeFetch returns the request and where in it the fetch offset stands.
func encodeFetch(w workload, partition int32) ([]byte, int) {
	req := kmsg.NewPtrFetchRequest()
	req.Version = 11
	req.ReplicaID = -1
	req.MaxWaitMillis = 500
	req.MinBytes = 1
	req.MaxBytes = 50 << 20
	req.SessionEpoch = -1
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic = w.topic()
	part := kmsg.NewFetchRequestTopicPartition()
	part.Partition = partition
	part.CurrentLeaderEpoch = -1
	const marker = 0x0123456789abcdef
	part.FetchOffset = marker
	part.PartitionMaxBytes = fetchBytes
	topic.Partitions = append(topic.Partitions, part)
	req.Topics = append(req.Topics, topic)
	raw := kmsg.NewRequestFormatter(kmsg.FormatterClientID("bench")).AppendRequest(nil, req, 1)
	for at := range raw {
		if binary.BigEndian.Uint64(raw[at:]) == marker {
			return raw, at
		}
	}
	panic("the fetch offset is not in the request")
}
