package hostile

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	// deafs is the clients that ask and do not read the answers: more than
	// queued.max.requests.
	deafs = 600
	// mostPerDeafKiB is what the broker may hold for each: the answers that it
	// has built, the requests that wait, and the socket's own buffers are the
	// system's.
	mostPerDeafKiB = 1024

	vanishers = 1000
)

// deaf clients ask for records, of which there are enough, until their own
// sockets are full.
func (s *suite) deaf(ctx context.Context) error {
	if err := s.fill(ctx); err != nil {
		return err
	}
	before, err := s.readings()
	if err != nil {
		return err
	}
	var full readings
	err = s.unhurt(ctx, func(ctx context.Context) error {
		c, err := s.gather(ctx, deafs)
		if err != nil {
			return err
		}
		defer c.leave()
		if err := c.narrow(); err != nil {
			return err
		}
		sent, err := c.shout(greedy())
		if err != nil {
			return fmt.Errorf("%w; the broker's log ends so:\n%s", err, s.lastLines())
		}
		if err := wait(ctx, quiet); err != nil {
			return err
		}
		full, err = s.readings()
		fmt.Printf("     each sent %d KiB of requests until it was stopped; %v\n", sent/len(c.conns)>>10, full.since(before))
		return err
	})
	if err != nil {
		return err
	}
	if each := (full.residentMiB - before.residentMiB) * 1024 / deafs; each > mostPerDeafKiB {
		return fmt.Errorf("%.0f KiB a client, and %d is the most", each, mostPerDeafKiB)
	}
	return s.freed(before)
}

func (s *suite) lastLines() string {
	log := s.broker.Log()
	return log[max(0, len(log)-1000):]
}

// fill produces some MiB to fetch.
func (s *suite) fill(ctx context.Context) error {
	for range 64 {
		record := &kgo.Record{Value: make([]byte, 256<<10)}
		if err := s.beside.client.ProduceSync(ctx, record).FirstErr(); err != nil {
			return err
		}
	}
	return nil
}

// greedy is many requests in one: each asks for all records and all metadata.
func greedy() []byte {
	metadata := kmsg.NewPtrMetadataRequest()
	metadata.SetVersion(9)
	fetch := kmsg.NewPtrFetchRequest()
	fetch.SetVersion(12)
	fetch.MaxBytes, fetch.MaxWaitMillis, fetch.SessionEpoch = 64<<20, 1000, -1
	partition := kmsg.NewFetchRequestTopicPartition()
	partition.PartitionMaxBytes = 64 << 20
	one := kmsg.NewFetchRequestTopic()
	one.Topic, one.Partitions = topic, []kmsg.FetchRequestTopicPartition{partition}
	fetch.Topics = append(fetch.Topics, one)
	formatter := kmsg.NewRequestFormatter(kmsg.FormatterClientID("greedy"))
	var all []byte
	for n := range int32(100) {
		all = append(all, formatter.AppendRequest(nil, metadata, 2*n)...)
		all = append(all, formatter.AppendRequest(nil, fetch, 2*n+1)...)
	}
	return all
}

// narrow keeps the clients' own sockets from taking megabytes of answers.
func (c *crowd) narrow() error {
	const bytes = 64 << 10
	for _, conn := range c.conns {
		socket := conn.(*net.TCPConn)
		if err := errors.Join(socket.SetReadBuffer(bytes), socket.SetWriteBuffer(bytes)); err != nil {
			return err
		}
	}
	return nil
}

// shout has each client send until nothing more is taken for a moment. It
// returns the bytes that were.
func (c *crowd) shout(requests []byte) (sent int, failure error) {
	const stopped = 500 * time.Millisecond
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, conn := range c.conns {
		running.Go(func() {
			n, err := shoutOn(conn, requests, stopped)
			mu.Lock()
			defer mu.Unlock()
			sent += n
			if err != nil {
				failure = err
			}
		})
	}
	running.Wait()
	return sent, failure
}

func shoutOn(conn net.Conn, requests []byte, stopped time.Duration) (sent int, err error) {
	for {
		if err := conn.SetWriteDeadline(time.Now().Add(stopped)); err != nil {
			return sent, err
		}
		n, err := conn.Write(requests)
		sent += n
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return sent, nil
		case err != nil:
			return sent, err
		}
	}
}

// vanish breaks off in the middle of requests: some half sent, some waiting for
// records that do not come.
func (s *suite) vanish(ctx context.Context) error {
	before, err := s.readings()
	if err != nil {
		return err
	}
	err = s.unhurt(ctx, func(ctx context.Context) error {
		c, err := s.gather(ctx, vanishers)
		if err != nil {
			return err
		}
		defer c.leave()
		for i, conn := range c.conns {
			if _, err := conn.Write(unfinished(i)); err != nil {
				return err
			}
		}
		if _, err := s.until(func(r readings) bool { return r.connections >= before.connections+vanishers }); err != nil {
			return err
		}
		if err := wait(ctx, quiet); err != nil {
			return err
		}
		for i, conn := range c.conns {
			if i%2 == 0 {
				// The system sends a reset and no farewell.
				if err := conn.(*net.TCPConn).SetLinger(0); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.freed(before)
}

// unfinished is a produce request of which the most is missing, or a fetch that
// waits for an hour for the first record of a topic.
func unfinished(i int) []byte {
	formatter := kmsg.NewRequestFormatter(kmsg.FormatterClientID("gone"))
	if i%4 < 2 {
		produce := kmsg.NewPtrProduceRequest()
		produce.SetVersion(9)
		produce.Acks = -1
		partition := kmsg.NewProduceRequestTopicPartition()
		partition.Records = make([]byte, 256<<10)
		one := kmsg.NewProduceRequestTopic()
		one.Topic, one.Partitions = topic, []kmsg.ProduceRequestTopicPartition{partition}
		produce.Topics = append(produce.Topics, one)
		whole := formatter.AppendRequest(nil, produce, 1)
		return whole[:20<<10]
	}
	fetch := kmsg.NewPtrFetchRequest()
	fetch.SetVersion(12)
	fetch.MinBytes, fetch.MaxBytes, fetch.MaxWaitMillis, fetch.SessionEpoch = 1<<30, 1<<30, 3_600_000, -1
	partition := kmsg.NewFetchRequestTopicPartition()
	partition.PartitionMaxBytes = 1 << 20
	one := kmsg.NewFetchRequestTopic()
	one.Topic, one.Partitions = emptyTopic, []kmsg.FetchRequestTopicPartition{partition}
	fetch.Topics = append(fetch.Topics, one)
	return formatter.AppendRequest(nil, fetch, 1)
}
