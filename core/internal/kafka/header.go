package kafka

import (
	"errors"
	"fmt"
	"time"
)

// request is one request in execution. Its bytes are in the connection's read
// buffer: they are gone when the handler returns.
type request struct {
	api           *api
	version       int16
	correlation   int32
	clientID      []byte
	body          []byte
	size          int64
	began         time.Time
	versionFailed bool
}

// The smallest frame: API key, version and correlation id, which are in every
// version of the request header.
const leastFrame = 8

var errShortHeader = errors.New("the request header is not complete")

// parse reads the request header. The client id has its plain length in
// flexible versions too.
func (r *request) parse(t *table, frame []byte) error {
	c := cursor{b: frame}
	key := c.int16()
	r.version, r.correlation = c.int16(), c.int32()
	r.clientID = c.text()
	if c.bad {
		return errShortHeader
	}
	r.size = int64(len(frame)) + 4
	if r.api = t.find(key); r.api == nil {
		return &unsupportedError{key: key, version: r.version}
	}
	r.versionFailed = !r.api.serves(r.version)
	if r.versionFailed && r.api.key != apiVersionsKey {
		return &unsupportedError{key: key, version: r.version, api: r.api}
	}
	// The header of a later version than are known is that of the latest.
	if c.flexible = r.api.flexible(r.version); c.flexible {
		c.tags()
	}
	if c.bad {
		return errShortHeader
	}
	if r.versionFailed {
		return nil
	}
	r.body = c.b
	if r.api.shape == nil {
		return nil
	}
	if err := r.api.shape.Check(r.version, r.body); err != nil {
		return malformed(r, err)
	}
	return nil
}

// unsupportedError is a request of an API or a version that is not served.
type unsupportedError struct {
	key, version int16
	api          *api
}

func (e *unsupportedError) Error() string {
	if e.api == nil {
		return fmt.Sprintf("API key %d version %d is not served", e.key, e.version)
	}
	return fmt.Sprintf("%s version %d is not served; versions %d to %d are", e.api.name, e.version, e.api.min, e.api.max)
}

// malformedError is a request that does not have the form of its kind.
type malformedError struct {
	api     string
	version int16
	cause   error
}

func malformed(r *request, cause error) error {
	return &malformedError{api: r.api.name, version: r.version, cause: cause}
}

func (e *malformedError) Error() string {
	return fmt.Sprintf("%s version %d is malformed: %v", e.api, e.version, e.cause)
}

func (e *malformedError) Unwrap() error { return e.cause }

var errMalformed = errors.New("a length or a count in it does not fit its bytes, or it has a null where none may be")
