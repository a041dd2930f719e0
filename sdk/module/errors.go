package module

import (
	"context"
	"errors"
	"fmt"
)

// Class is what a caller can do about an error. The set is closed: it is the
// same on both sides of a process and in every language.
type Class uint8

const (
	// Fatal: the module can not go on with this log, group or request; trying
	// again will not help. It is the class of every error that has none.
	Fatal Class = iota
	// Retriable: the same call may succeed later.
	Retriable
	// Invalid: the caller asked for something that can never be done.
	Invalid
)

func (c Class) String() string {
	switch c {
	case Retriable:
		return "retriable"
	case Invalid:
		return "invalid"
	default:
		return "fatal"
	}
}

// Error is the one error type that survives a crossing. Two of them are the
// same for [errors.Is] when their codes are equal and not empty, so a kind can
// declare sentinels (storage.ErrOffsetOutOfRange) that work on both bindings.
type Error struct {
	Class Class
	// Code names the error for programs, "storage.offset_out_of_range"; empty
	// when nobody distinguishes it.
	Code string
	// Message names the thing that is wrong and what to do about it.
	Message string
	// Cause stays on the side where it happened.
	Cause error
}

// NewError declares an error with a code that callers may test for.
func NewError(class Class, code, message string) *Error {
	return &Error{Class: class, Code: code, Message: message}
}

// Retriablef makes an error without a code; a %w operand becomes the cause.
func Retriablef(format string, args ...any) error { return classed(Retriable, format, args) }

// Fatalf makes an error without a code; a %w operand becomes the cause.
func Fatalf(format string, args ...any) error { return classed(Fatal, format, args) }

// Invalidf makes an error without a code; a %w operand becomes the cause.
func Invalidf(format string, args ...any) error { return classed(Invalid, format, args) }

func classed(class Class, format string, args []any) error {
	wrapped := fmt.Errorf(format, args...)
	return &Error{Class: class, Message: wrapped.Error(), Cause: errors.Unwrap(wrapped)}
}

// With returns a copy of e whose message goes on with the formatted detail.
func (e *Error) With(format string, args ...any) error {
	detailed := *e
	detailed.Message = e.Message + ": " + fmt.Sprintf(format, args...)
	return &detailed
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Cause }

// Is compares codes, so that a sentinel matches its copy from another process.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Code != "" && e.Code == other.Code
}

// ClassOf returns the class of err. A deadline that passed or a call that was
// cancelled is retriable; an error without a class is fatal.
func ClassOf(err error) Class {
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return Retriable
	}
	return Fatal
}

// AsError returns err as an [Error], keeping its class and code: what a
// binding puts on the wire.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{Class: e.Class, Code: e.Code, Message: err.Error()}
	}
	return &Error{Class: ClassOf(err), Message: err.Error()}
}
