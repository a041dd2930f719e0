// Package shape checks that a request body has the form of its kind before a
// general decoder sees it. That decoder allocates by the counts it reads and
// loops over tagged fields without a bound; on bytes that passed here it does
// neither: every count fits in what remains, and what the body will take in
// memory is within a budget. Nor does it refuse them, after it has allocated:
// what is null here may be null there.
//
// A shape is written as the message definition reads:
//
//	replica:int32 isolation:int8@2+ topics:[name:string partitions:[index:int32 timestamp:int64]]
//
// A type is bool, int8, int16, int32, int64, uuid, string, bytes, a list [...] of
// one type or of named fields, or a structure {...} of named fields that may be
// null. A ? behind a string, bytes or a list says that it may be null, ?2+ and
// ?2-5 in which versions. @2+ and @2-5 give the versions that have a field.
// Structures of a flexible version end in tagged fields, which are not written.
package shape

import (
	"errors"
	"fmt"
	"math"
)

// Shape is the form of one request.
type Shape struct {
	fields       []field
	flexibleFrom int16
}

// versions are those from min to max.
type versions struct {
	min, max int16
}

var (
	all  = versions{0, math.MaxInt16}
	none = versions{0, -1}
)

func (v versions) have(version int16) bool { return v.min <= version && version <= v.max }

type field struct {
	name     string
	kind     kind
	versions versions
	// nullable are the versions in which a string, bytes or a list may be null.
	nullable versions
	// size is that of a fixed kind.
	size int
	// element is of a list: one nameless field, or the fields of a structure. Of
	// an optional structure it is the fields.
	element   []field
	structure bool
	// cost is what one element of the list, or the optional structure, takes in
	// memory once decoded.
	cost int64
}

type kind uint8

const (
	fixed kind = iota
	text
	blob
	list
	optional
)

// Costs in bytes of what a decoder allocates, from above.
const (
	fieldCost   = 24
	pointerCost = 32
	tagCost     = 128
)

var (
	errShort  = errors.New("it ends before it is complete")
	errLong   = errors.New("it has bytes after its end")
	errCount  = errors.New("it claims more elements than it has bytes for")
	errNull   = errors.New("it is null, and may not be")
	errString = errors.New("it is a string of more than 32767 bytes")
	errBudget = errors.New("it has far more elements than a request of its size needs")
	errVarint = errors.New("it has a varint that is too long")
)

// located is what is wrong with one field.
type located struct {
	// field is the path of names to it.
	field string
	// at is where in the body it begins.
	at    int
	cause error
}

func (l *located) Error() string {
	return fmt.Sprintf("%s at byte %d of its body: %v", l.field, l.at, l.cause)
}

func (l *located) Unwrap() error { return l.cause }

// Check reports what is wrong with body as a request of the version, in which
// field and where. It reads every byte at most once and allocates nothing but
// the error.
func (s *Shape) Check(version int16, body []byte) error {
	w := walker{
		rest: body, size: len(body), version: version, flexible: version >= s.flexibleFrom,
		budget: BudgetFor(len(body)),
	}
	if err := w.structure(s.fields); err != nil {
		return err
	}
	if len(w.rest) != 0 {
		return errLong
	}
	return nil
}

// Parse reads a shape. flexibleFrom is the first version with compact lengths
// and tagged fields.
func Parse(definition string, flexibleFrom int16) (*Shape, error) {
	p := parser{rest: definition}
	fields, err := p.fields()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("unexpected %q", p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("shape %q: %w", definition, err)
	}
	return &Shape{fields: fields, flexibleFrom: flexibleFrom}, nil
}
