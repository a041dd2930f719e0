package childlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
)

// maxLine is the longest line that is logged, in bytes. The rest of a longer
// one is read and dropped.
const maxLine = 8 << 10

// Sink takes the output of one child. Safe for concurrent use.
type Sink struct {
	log   hclog.Logger
	id    string
	clock clock.Clock

	mu      sync.Mutex
	limiter limiter
	// last is the line that tells best why the child has ended: the first line
	// of a panic, or else the last that was not hclog's.
	last    []byte
	inPanic bool
}

// NewSink logs to log, which carries the module's id as its name already.
func NewSink(log hclog.Logger, id string, c clock.Clock) *Sink {
	return &Sink{log: log, id: id, clock: c, limiter: newLimiter(c.Now())}
}

// ReadAll logs the lines of r until it ends, and gives each line that intercept
// wants to it instead. r is always read to its end, so that the child never
// waits for its log.
func (s *Sink) ReadAll(r io.Reader, intercept func(line []byte) bool) {
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, cut, err := readLine(in)
		if len(line) > 0 && (intercept == nil || !intercept(line)) {
			s.Line(line, cut)
		}
		if err != nil {
			return
		}
	}
}

// readLine returns the next line without its end. What is over maxLine is cut
// off and counted. The line is valid until the next read.
func readLine(in *bufio.Reader) (line []byte, cut int, err error) {
	line, err = in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimRight(line, "\r\n"), 0, err
	}
	line = bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		var rest []byte
		rest, err = in.ReadSlice('\n')
		cut += len(rest)
	}
	return line, cut, err
}

// Line logs one line; cut says how many of its bytes are missing.
func (s *Sink) Line(line []byte, cut int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.remember(line) {
		return
	}
	ok, dropped := s.limiter.allow(s.clock.Now())
	if dropped > 0 {
		s.warnDropped(dropped)
	}
	if !ok {
		return
	}
	if e, ok := parse(line); ok {
		s.named(e.name).Log(e.level, e.message, e.pairs...)
		return
	}
	s.stray(printable(string(line)), cut)
}

// remember keeps the line if it tells why the child has ended, and reports
// whether there is anything in it to log.
func (s *Sink) remember(line []byte) bool {
	if len(bytes.TrimSpace(line)) == 0 {
		return false
	}
	if line[0] == '{' || s.inPanic {
		return true
	}
	s.inPanic = bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: "))
	s.last = append(s.last[:0], line[:min(len(line), 200)]...)
	return true
}

// stray logs a line that is not hclog's: a print that was forgotten, a trace of
// a panic, what a library writes.
func (s *Sink) stray(text string, cut int) {
	if cut > 0 {
		text = fmt.Sprintf("%s... (%d bytes cut off)", text, cut)
	}
	if s.inPanic {
		s.log.Error(text)
		return
	}
	s.log.Info(text)
}

// named returns the logger for a child's logger of that name, which is the
// module's id and what the module has added.
func (s *Sink) named(name string) hclog.Logger {
	if sub, ok := strings.CutPrefix(name, s.id+"."); ok {
		return s.log.Named(sub)
	}
	return s.log
}

func (s *Sink) warnDropped(lines uint64) {
	s.log.Warn("the module process writes too much; lines were dropped", "lines", lines)
}

// Close reports what was dropped last.
func (s *Sink) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dropped := s.limiter.takeDropped(); dropped > 0 {
		s.warnDropped(dropped)
	}
}

// Last is the line that tells best why the child has ended, empty if it wrote
// none.
func (s *Sink) Last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return printable(string(s.last))
}
