package guard

import (
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
)

// Stats is what became of the calls to one module since the broker started.
type Stats struct {
	Calls, Errors, Fallbacks uint64
	P50, P99                 time.Duration
	// LastError is the newest on one line of text, empty if there was none.
	LastError string
}

// meter counts and times the calls to one module. Safe for concurrent use.
type meter struct {
	log   hclog.Logger
	clock clock.Clock

	calls, errors, fallbacks atomic.Uint64
	latency                  histogram
	lastError                atomic.Pointer[string]
	// logged is when a failure was last logged, in nanoseconds since 1970.
	logged atomic.Int64
	// silent counts the failures that were not logged since.
	silent atomic.Uint64
}

func newMeter(log hclog.Logger, c clock.Clock) *meter { return &meter{log: log, clock: c} }

// begin counts a call; its answer goes to end.
func (m *meter) begin() time.Time {
	m.calls.Add(1)
	return m.clock.Now()
}

func (m *meter) end(began time.Time) { m.latency.observe(m.clock.Now().Sub(began), 1) }

// sampled is how many calls there are to one that is timed by beginSampled. It
// is a prime, so that calls which take turns are all timed.
const sampled = 17

// beginSampled counts a call on a path where even reading the clock shows, and
// times one of [sampled], which then stands for all of them beside the calls
// that are timed each; endSampled of the zero time does nothing.
func (m *meter) beginSampled() time.Time {
	if m.calls.Add(1)%sampled != 1 {
		return time.Time{}
	}
	return m.clock.Now()
}

func (m *meter) endSampled(began time.Time) {
	if !began.IsZero() {
		m.latency.observe(m.clock.Now().Sub(began), sampled)
	}
}

// fail counts an error and logs it, at most once in [logEvery].
func (m *meter) fail(err error) {
	m.errors.Add(1)
	m.note(err)
	m.report("module failed", err)
}

// fallBack counts an error that the fallback made good.
func (m *meter) fallBack(err error, to string) {
	m.errors.Add(1)
	m.fallbacks.Add(1)
	m.note(err)
	m.report("module failed, taking the fallback "+to, err)
}

func (m *meter) note(err error) {
	message := oneLine(err.Error())
	m.lastError.Store(&message)
}

// maxLastError bounds what is kept of an error, in bytes.
const maxLastError = 500

// oneLine is what of a module's words can stand in a table on a terminal.
func oneLine(message string) string {
	if len(message) > maxLastError {
		message = message[:maxLastError] + "..."
	}
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(message, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
}

const logEvery = time.Second

func (m *meter) report(message string, err error) {
	now, last := m.clock.Now().UnixNano(), m.logged.Load()
	if last != 0 && now-last < int64(logEvery) || !m.logged.CompareAndSwap(last, now) {
		m.silent.Add(1)
		return
	}
	m.log.Warn(message, append([]any{"error", err, "unlogged", m.silent.Swap(0)}, stackOf(err)...)...)
}

// stackOf is what a log says of an error that comes from a panic beside its text.
func stackOf(err error) []any {
	if stack := module.Stack(err); stack != nil {
		return []any{"stack", string(stack)}
	}
	return nil
}

func (m *meter) stats() Stats {
	quantiles := m.latency.quantiles(0.5, 0.99)
	s := Stats{
		Calls: m.calls.Load(), Errors: m.errors.Load(), Fallbacks: m.fallbacks.Load(), P50: quantiles[0], P99: quantiles[1],
	}
	if last := m.lastError.Load(); last != nil {
		s.LastError = *last
	}
	return s
}
