package differential

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// answerTimeout is how long a broker has for an answer.
const answerTimeout = 30 * time.Second

// side is one of the two brokers. Not safe for concurrent use.
type side struct {
	addr, dataDir string
	ids           *identities
	// conns are opened when they are needed; nil where the broker closed one.
	conns [control + 1]*connection
}

// connection is one to a broker.
type connection struct {
	net.Conn
	in *bufio.Reader
}

// control is the connection for what is asked between the steps. Behind
// connections are those of the members of groups.
const control = connections + memberConnections

func newSide(addr, dataDir string) *side {
	return &side{addr: addr, dataDir: dataDir, ids: newIdentities()}
}

func (s *side) close() {
	for n := range s.conns {
		s.drop(n)
	}
}

func (s *side) drop(number int) {
	if s.conns[number] != nil {
		_ = s.conns[number].Close() // nothing of it is used any more
		s.conns[number] = nil
	}
}

// run sends a step and returns an answer for each of its requests. Once the
// broker has closed the connection, that is the answer to all that follow. An
// error is a failure of the run, not an answer.
func (s *side) run(one step) ([]fields, error) {
	conn, err := s.connection(one.connection)
	if err != nil {
		return nil, err
	}
	var out []byte
	for number, r := range one.requests {
		out = append(out, s.frame(r, int32(number))...)
	}
	_ = conn.SetDeadline(time.Now().Add(answerTimeout)) // of an open connection
	// A broker that closes the connection for one request may do so before it has
	// taken those behind it, of which the last may be large. What it has answered
	// until then it has answered, whatever becomes of the writing.
	written := make(chan error, 1)
	go func() {
		_, err := conn.Write(out)
		written <- err
	}()
	answers := make([]fields, len(one.requests))
	for number, r := range one.requests {
		switch {
		case s.conns[one.connection] == nil:
			answers[number] = fields{connectionField: "closed"}
		case r.silent:
			answers[number] = fields{connectionField: "answers nothing"}
		default:
			answers[number] = s.receive(one.connection, r, int32(number))
		}
	}
	if slices.ContainsFunc(one.requests, func(r request) bool { return r.damage != nil }) {
		// What is left of a damaged request may be taken for the next one, and
		// have the connection closed while that is on its way.
		s.drop(one.connection)
	}
	if err := <-written; err != nil {
		s.drop(one.connection)
	}
	return answers, nil
}

func (s *side) connection(number int) (*connection, error) {
	if s.conns[number] != nil {
		return s.conns[number], nil
	}
	conn, err := net.DialTimeout("tcp", s.addr, answerTimeout)
	if err != nil {
		return nil, err
	}
	s.conns[number] = &connection{Conn: conn, in: bufio.NewReader(conn)}
	return s.conns[number], nil
}

// frame encodes a request with this broker's identities in it.
func (s *side) frame(r request, correlation int32) []byte {
	q := kmsg.RequestForKey(r.Key())
	q.SetVersion(r.GetVersion())
	if err := q.ReadFrom(r.AppendTo(nil)); err != nil {
		panic(fmt.Errorf("%s: what a generator made can not be read: %w", r.name(), err))
	}
	s.ids.fill(q)
	s.ids.fillMember(q, r.member)
	frame := kmsg.NewRequestFormatter(kmsg.FormatterClientID(cmp.Or(r.client, "differential"))).AppendRequest(nil, q, correlation)
	if r.damage != nil {
		frame = r.damage(frame)
	}
	return frame
}

func (s *side) receive(number int, r request, correlation int32) fields {
	body, err := read(s.conns[number].in)
	if err != nil {
		s.drop(number)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return fields{connectionField: "no answer"}
		}
		return fields{connectionField: "closed"}
	}
	if got := int32(binary.BigEndian.Uint32(body)); got != correlation {
		return fields{connectionField: fmt.Sprintf("correlation id %d for %d", got, correlation)}
	}
	return s.decode(r, body[4:])
}

// mostAnswered bounds the length of an answer.
const mostAnswered = 64 << 20

func read(conn io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(size[:])
	if length < 4 || length > mostAnswered {
		return nil, fmt.Errorf("an answer of %d bytes", length)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(conn, body)
	return body, err
}

func (s *side) decode(r request, body []byte) fields {
	response := r.ResponseKind()
	if _, is := response.(*kmsg.ApiVersionsResponse); is && (r.damage != nil || r.GetVersion() > response.MaxVersion()) {
		// The versions are told to a client that asks for one that is not served.
		if len(body) > 2 && int16(binary.BigEndian.Uint16(body)) == unsupportedVersion {
			response.SetVersion(0)
		}
	} else if response.IsFlexible() && !is && len(body) > 0 {
		body = body[1:]
	}
	if err := response.ReadFrom(body); err != nil {
		return fields{connectionField: fmt.Sprintf("answered %d bytes that are no answer: %v", len(body), err)}
	}
	encoded := len(response.AppendTo(nil))
	if fetched, is := response.(*kmsg.FetchResponse); is {
		gather(fetched)
	}
	s.ids.learnMember(response, r)
	s.ids.empty(response)
	out := fields{}
	for path, value := range fieldsOf(response) {
		out[strings.ReplaceAll(path, s.dataDir, "LOGDIR")] = strings.ReplaceAll(value, s.dataDir, "LOGDIR")
	}
	out["(bytes left over)"] = fmt.Sprint(len(body) - encoded)
	return out
}

// unsupportedVersion is UNSUPPORTED_VERSION.
const unsupportedVersion = 35
