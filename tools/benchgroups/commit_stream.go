package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// commitStream keeps so many commits under way on a connection, at little cost:
// the request is encoded once, and of each only the correlation id and the
// offsets are written anew; as many as were answered are sent by one write.
type commitStream struct {
	*connection
	request *kmsg.OffsetCommitRequest
	// frame is the encoded request, and offsets where in it the offsets stand.
	frame   []byte
	offsets []int
	// sent and answered are the correlation ids of the newest of each.
	sent, answered int32
	out            []byte
	// like is what follows the correlation id of a good answer.
	like []byte
}

const (
	// correlationAt is where the correlation id stands in a request.
	correlationAt = 8
	// correlationIn is the same in an answer, length included.
	correlationIn = 4
	// wanted is an offset that stands out in an encoded request.
	wanted = 0x7a5b_3c2d_1e0f_4968
)

func newCommitStream(c *connection, q *kmsg.OffsetCommitRequest) *commitStream {
	s := &commitStream{connection: c, request: q}
	s.in = bufio.NewReaderSize(c.net, 64<<10)
	s.frame = c.format.AppendRequest(nil, q, 0)
	mark := binary.BigEndian.AppendUint64(nil, wanted)
	for at := bytes.Index(s.frame, mark); at >= 0; {
		s.offsets = append(s.offsets, at)
		next := bytes.Index(s.frame[at+len(mark):], mark)
		if next < 0 {
			break
		}
		at += len(mark) + next
	}
	return s
}

// run commits until the connection ends.
func (s *commitStream) run(answered *int64) error {
	if err := s.first(); err != nil {
		return err
	}
	for room := underWay; ; {
		if err := s.write(room); err != nil {
			return err
		}
		got, err := s.read()
		if err != nil {
			return err
		}
		*answered += int64(got)
		room = got
	}
}

// first decodes an answer. The others have to be like it to the byte.
func (s *commitStream) first() error {
	if err := s.write(1); err != nil {
		return err
	}
	response, err := receive[*kmsg.OffsetCommitResponse](s.connection, s.request)
	if err != nil {
		return err
	}
	s.answered++
	for _, one := range response.Topics[0].Partitions {
		if err := kerr.ErrorForCode(one.ErrorCode); err != nil {
			return fmt.Errorf("committing partition %d: %w", one.Partition, err)
		}
	}
	if len(response.Topics[0].Partitions) != len(s.offsets) {
		return fmt.Errorf("%d partitions were committed and %d answered", len(s.offsets), len(response.Topics[0].Partitions))
	}
	s.like = bytes.Clone(s.answer[4:])
	return nil
}

// write sends so many requests, with rising offsets.
func (s *commitStream) write(requests int) error {
	s.out = s.out[:0]
	for range requests {
		s.sent++
		frame := len(s.out)
		s.out = append(s.out, s.frame...)
		binary.BigEndian.PutUint32(s.out[frame+correlationAt:], uint32(s.sent))
		for _, at := range s.offsets {
			binary.BigEndian.PutUint64(s.out[frame+at:], uint64(s.sent))
		}
	}
	_, err := s.net.Write(s.out)
	return err
}

// read takes the next answer, and all those that have come with it.
func (s *commitStream) read() (answers int, err error) {
	size := correlationIn + 4 + len(s.like)
	for answers == 0 || s.in.Buffered() >= size {
		answer, err := s.in.Peek(size)
		if err != nil {
			return answers, errors.Join(err, s.ended(answer))
		}
		s.answered++
		if int32(binary.BigEndian.Uint32(answer[correlationIn:])) != s.answered || !bytes.Equal(answer[correlationIn+4:], s.like) {
			return answers, fmt.Errorf("commit %d is answered by %x, the first one was by %x", s.answered, answer, s.like)
		}
		if _, err := s.in.Discard(size); err != nil {
			return answers, err
		}
		answers++
	}
	return answers, nil
}

// ended says what was left of an answer when the connection ended.
func (s *commitStream) ended(rest []byte) error {
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("after %x", rest)
}

// commitRequest is of a version that both brokers serve to members of either
// protocol.
func (m *member) commitRequest(partitions int) *kmsg.OffsetCommitRequest {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 9, m.group, m.epoch, m.id
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic = m.topic
	for p := range int32(partitions) {
		one := kmsg.NewOffsetCommitRequestTopicPartition()
		one.Partition, one.Offset = p, wanted
		topic.Partitions = append(topic.Partitions, one)
	}
	q.Topics = append(q.Topics, topic)
	return q
}
