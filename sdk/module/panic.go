package module

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// PanicError says that a module panicked. It is the cause of the error that
// [Recovered] makes.
type PanicError struct {
	// Value is what it panicked with.
	Value any
	// Stack is as [debug.Stack] writes it. It is for logs: the text of an error
	// goes to clients and into tables, and has none.
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("module panicked: %v", p.Value) }

// Recovered is deferred by what calls a module: a panic of the module becomes the
// error of the call, a fatal one, so that it cannot end its host.
func Recovered(err *error) {
	if value := recover(); value != nil {
		p := &PanicError{Value: value, Stack: debug.Stack()}
		*err = &Error{Class: Fatal, Message: p.Error(), Cause: p}
	}
}

// Stack is where the panic was that err comes from; nil if it comes from none, or
// from one in another process.
func Stack(err error) []byte {
	var p *PanicError
	if errors.As(err, &p) {
		return p.Stack
	}
	return nil
}
