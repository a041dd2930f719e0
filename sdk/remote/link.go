package remote

import (
	"context"

	"google.golang.org/grpc"

	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// link is the host's way to one child: what the kinds' host sides are made of.
type link struct {
	conn grpc.ClientConnInterface
	// frames is nil if the hot calls go over gRPC.
	frames *frame.Caller
}

// Health asks the module. It implements [odradek.dev/sdk/module.HealthChecker]
// for every kind.
func (l *link) Health(ctx context.Context) error {
	_, err := unary(ctx, modulev1.NewControlClient(l.conn).Health, &modulev1.HealthRequest{})
	return err
}

// call makes a framed call. Errors are the module's, or classified.
func (l *link) call(ctx context.Context, r frame.Request) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if err := l.frames.Call(ctx, r); err != nil {
		return classify(ctx, err)
	}
	return nil
}

// unary makes a gRPC call whose answer may carry the module's error. A module
// that gives up at the deadline may say so before the deadline is noticed here;
// that is no error of its own.
func unary[Q any, A interface{ GetError() *modulev1.Error }](
	ctx context.Context, method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q,
) (A, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	answer, err := method(ctx, request)
	if err != nil {
		return answer, classify(ctx, err)
	}
	if answer.GetError() != nil && deadline.Past(ctx) {
		return answer, classify(ctx, context.DeadlineExceeded)
	}
	return answer, fromWire(answer.GetError())
}

// bounded gives a deadline to a context that has none.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, DefaultCallTimeout)
}
