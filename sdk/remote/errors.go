package remote

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// The errors of the binding itself. Errors of the module arrive with the class
// and code that the module gave them.
var (
	// ErrClosed: the process ended before it answered.
	ErrClosed = frame.ErrClosed
	// ErrProtocol: the process sent what the protocol does not allow. It is
	// killed for it.
	ErrProtocol = frame.ErrProtocol
	// ErrDeadline: no answer came in time. errors.Is also finds
	// [context.DeadlineExceeded] in it.
	ErrDeadline = module.NewError(module.Retriable, "remote.deadline", "the module process did not answer in time")
	// ErrTooLarge: a request or an answer is over [MaxMessageBytes].
	ErrTooLarge = frame.ErrTooLarge
)

// codeUnknownSetting marks a [module.UnknownSettingError] on the wire.
const codeUnknownSetting = "module.unknown_setting"

// toWire returns nil for nil.
func toWire(err error) *modulev1.Error {
	if err == nil {
		return nil
	}
	if unknown := (*module.UnknownSettingError)(nil); errors.As(err, &unknown) {
		return &modulev1.Error{Class: modulev1.Class_CLASS_INVALID, Code: codeUnknownSetting, Message: valid(err.Error())}
	}
	e := module.AsError(err)
	return &modulev1.Error{Class: classToWire(e.Class), Code: valid(e.Code), Message: valid(e.Message)}
}

func classToWire(c module.Class) modulev1.Class {
	switch c {
	case module.Retriable:
		return modulev1.Class_CLASS_RETRIABLE
	case module.Invalid:
		return modulev1.Class_CLASS_INVALID
	default:
		return modulev1.Class_CLASS_FATAL
	}
}

// fromWire returns nil for nil. A class that this version does not know is
// fatal.
func fromWire(e *modulev1.Error) error {
	if e == nil {
		return nil
	}
	class := module.Fatal
	switch e.GetClass() {
	case modulev1.Class_CLASS_RETRIABLE:
		class = module.Retriable
	case modulev1.Class_CLASS_INVALID:
		class = module.Invalid
	}
	return &module.Error{Class: class, Code: e.GetCode(), Message: e.GetMessage()}
}

// valid makes a string that protobuf takes.
func valid(s string) string { return strings.ToValidUTF8(s, "�") }

// classify says what a call that did not come through means. ctx is that of the
// call.
func classify(ctx context.Context, err error) error {
	if classed := (*module.Error)(nil); errors.As(err, &classed) {
		return err
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	code := status.Code(err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded), code == codes.DeadlineExceeded:
		late := *ErrDeadline
		late.Cause = context.DeadlineExceeded
		return &late
	case code == codes.ResourceExhausted:
		return ErrTooLarge.With("%s", status.Convert(err).Message())
	case code == codes.Unavailable, code == codes.Canceled:
		return ErrClosed.With("%s", status.Convert(err).Message())
	}
	return module.Fatalf("the module process refused a call: %w", err)
}
