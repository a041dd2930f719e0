package kafka

import (
	"errors"
	"strconv"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
)

// complaints writes one line about each connection that was closed for what
// its client did, but for each kind of cause at most one a second: a stranger
// must not be able to fill the log.
type complaints struct {
	clock clock.Clock
	log   hclog.Logger
	pace  pace
}

func newComplaints(c clock.Clock, log hclog.Logger) *complaints {
	return &complaints{clock: c, log: log}
}

// complain notes that a connection was closed for what its client did.
func (s *Server) complain(conn *connection, cause error) {
	kind := kindOf(cause)
	s.metrics.ConnectionRefused(conn.caller.Listener.Name, kind)
	s.complaints.add(conn, kind, cause)
}

func (c *complaints) add(conn *connection, kind string, cause error) {
	skipped, due := c.pace.due(c.clock.Now(), kind)
	if !due {
		return
	}
	c.log.Warn("connection closed", "cause", printable(cause.Error()), "client", printable(conn.caller.ClientID),
		"software", printable(conn.caller.Software+" "+conn.caller.SoftwareVersion),
		"remote", conn.caller.Remote, "listener", conn.caller.Listener.Name, "unlogged", skipped)
}

func (c *complaints) accept(cause error) {
	if skipped, due := c.pace.due(c.clock.Now(), "accept"); due {
		c.log.Error("cannot accept connections", "error", cause, "unlogged", skipped)
	}
}

// yielded notes that files were closed so that clients can come.
func (c *complaints) yielded(cause error, closed int) {
	if skipped, due := c.pace.due(c.clock.Now(), "yield"); due {
		c.log.Warn("clients need the descriptors of files, which are closed and opened again when they are read; raise the limit (ulimit -n)",
			"error", cause, "closed", closed, "unlogged", skipped)
	}
}

// kindOf is one of few: a client has no say in how many there are.
func kindOf(cause error) string {
	var (
		frame       *frameError
		unsupported *unsupportedError
		bad         *malformedError
		limit       *addressLimitError
	)
	switch {
	case errors.As(cause, &frame):
		return frame.kind()
	case errors.As(cause, &limit):
		return "limit"
	case errors.Is(cause, errExcess):
		return "excess"
	case errors.As(cause, &unsupported):
		return "unsupported"
	case errors.As(cause, &bad), errors.Is(cause, errShortHeader):
		return "malformed"
	}
	return "other"
}

// printable keeps control characters and endless names out of the log.
func printable(s string) string {
	const most = 256
	if len(s) > most {
		s = s[:most]
	}
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
