package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/kafka/shape"
)

// api is one API key: what is advertised of it, and who serves it.
type api struct {
	key  int16
	name string
	// min and max are the versions that are served.
	min, max int16
	// advertisedMin is what ApiVersions says; it is below min for Produce
	// alone, since librdkafka takes a higher one for a broker without it
	// (KAFKA-18659).
	advertisedMin int16
	// flexibleFrom is the first version with compact lengths and tagged fields.
	flexibleFrom int16
	handle       handler
	// shape is checked before handle is called; nil if handle decodes by hand.
	shape *shape.Shape
}

func (a *api) flexible(version int16) bool { return version >= a.flexibleFrom }

func (a *api) serves(version int16) bool { return version >= a.min && version <= a.max }

// handler executes one request. It answers before it returns, or takes a place
// in the connection's queue and answers later. An error closes the connection.
type handler func(c *connection, r *request) error

// checked completes a whose requests must have a shape before they are handled;
// see package shape for how it is written. One that cannot be read is a mistake
// in the program.
func checked(a api, handle handler, definition string) *api {
	s, err := shape.Parse(definition, a.flexibleFrom)
	if err != nil {
		panic(fmt.Errorf("%s: %w", a.name, err))
	}
	a.advertisedMin, a.handle, a.shape = a.min, handle, s
	return &a
}

// decoded completes a with a function from a kmsg request to its response.
// Requests are checked before kmsg decodes them.
func decoded[T any, Q interface {
	*T
	kmsg.Request
}, R kmsg.Response](a api, serve func(context.Context, *Backend, *Caller, Q) R, definition string) *api {
	handle := func(c *connection, r *request) error {
		q := Q(new(T))
		q.SetVersion(r.version)
		if err := q.ReadFrom(r.body); err != nil {
			return malformed(r, err)
		}
		response := serve(c.server.context, c.server.backend, c.callerOf(r), q)
		response.SetVersion(r.version)
		out := c.begin(r)
		out.buf = response.AppendTo(out.buf)
		return c.answered(r, out)
	}
	return checked(a, handle, definition)
}
