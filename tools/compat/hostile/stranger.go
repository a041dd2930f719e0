package hostile

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// strangerTimes is how often each stranger comes.
const strangerTimes = 1000

// stranger is a client that is at the wrong place.
type stranger struct {
	name string
	// cause is how the broker counts it, line what it says of it in its log.
	cause, line string
	send        func(net.Conn) error
}

func strangers() []stranger {
	return []stranger{
		{"an HTTP request", "http", "it speaks HTTP", sending([]byte("GET /metrics HTTP/1.1\r\nHost: broker\r\n\r\n"))},
		{"a TLS hello", "tls", "it speaks TLS", hello},
		{"a produce request of Kafka 0.8", "unsupported", "Produce version 0 is not served", sending(oldProduce())},
		{"a frame of 2 GiB", "frame", "a frame claims", sending([]byte{0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 9, 0, 0, 0, 1})},
		{"a frame of -1 bytes", "frame", "a frame claims", sending([]byte{0xff, 0xff, 0xff, 0xff, 0, 3, 0, 9, 0, 0, 0, 1})},
		{"a request that counts more topics than it has bytes", "malformed", "more elements than it has bytes", sending(countless())},
	}
}

func sending(b []byte) func(net.Conn) error {
	return func(c net.Conn) error {
		_, err := c.Write(b)
		return err
	}
}

// hello is that of a real client. That it gets no answer is its only error.
func hello(c net.Conn) error {
	err := tls.Client(c, &tls.Config{ServerName: "broker"}).Handshake()
	if err == nil {
		return errors.New("a TLS handshake with a plaintext listener")
	}
	return nil
}

// oldProduce is version 0 with a message set of magic 0.
func oldProduce() []byte {
	message := make([]byte, 26)
	binary.BigEndian.PutUint32(message[8:], 14)
	body := []byte{0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 'o', 'l', 'd', 0, 1, 0, 0, 3, 0xe8, 0, 0, 0, 1, 0, 1, 'a', 0, 0, 0, 1, 0, 0, 0, 0}
	body = append(binary.BigEndian.AppendUint32(body, uint32(len(message))), message...)
	return framed(body)
}

// countless is a Metadata request of version 1.
func countless() []byte {
	return framed([]byte{0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
}

func framed(body []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// stranger comes again and again. Each time the connection is closed; the log
// has a line a second at most, and all are counted.
func (s *suite) stranger(ctx context.Context, one stranger) error {
	before, err := s.readings()
	if err != nil {
		return err
	}
	said := len(s.broker.Log())
	began := time.Now()
	err = s.unhurt(ctx, func(ctx context.Context) error {
		for range strangerTimes {
			if err := s.visit(ctx, one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	if _, err := s.settled(before.connections); err != nil {
		return err
	}
	// What one reading has is not of one moment: the last stranger may have gone
	// in the middle of it.
	after, err := s.readings()
	if err != nil {
		return err
	}
	lines := strings.Count(s.broker.Log()[said:], one.line)
	most := 1 + int(time.Since(began).Seconds())
	refused := after.refused[one.cause] - before.refused[one.cause]
	fmt.Printf("     %.0f closed a second, %d lines in the log in %.1f s, %v\n", strangerTimes/seconds, lines, seconds, after.since(before))
	switch {
	case lines > most:
		return fmt.Errorf("%d lines in the log in %.1f s", lines, seconds)
	case refused != strangerTimes:
		return fmt.Errorf("%v of %d were counted as %s", refused, strangerTimes, one.cause)
	case !strings.Contains(s.broker.Log(), one.line):
		return errors.New("the log says nothing of it")
	}
	return nil
}

// visit returns when the broker has closed the connection.
func (s *suite) visit(ctx context.Context, one stranger) error {
	c, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
		return err
	}
	if err := one.send(c); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, c)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("the connection is still open after %v", answerTimeout)
	}
	return nil
}

// answerTimeout is how long the broker may take for anything.
const answerTimeout = time.Minute

func (s *suite) dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", s.broker.Addr)
}
