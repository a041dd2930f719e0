package module

import "context"

// Starter is implemented by modules that need more than being built. Start is
// called once, before any other call; it returns when the module is ready.
type Starter interface {
	Start(ctx context.Context) error
}

// Stopper is implemented by modules that hold something. Stop is called once,
// after every other call has returned; the module must let go of all it has
// before the context ends.
type Stopper interface {
	Stop(ctx context.Context) error
}

// HealthChecker is implemented by modules that can be alive and yet unable to
// serve. A nil answer means healthy. It may be called at any time and
// concurrently with every other call.
type HealthChecker interface {
	Health(ctx context.Context) error
}

// Start starts instance if it can be started.
func Start(ctx context.Context, instance any) error {
	if s, ok := instance.(Starter); ok {
		return s.Start(ctx)
	}
	return nil
}

// Stop stops instance if it can be stopped.
func Stop(ctx context.Context, instance any) error {
	if s, ok := instance.(Stopper); ok {
		return s.Stop(ctx)
	}
	return nil
}

// Health asks instance, if it can be asked.
func Health(ctx context.Context, instance any) error {
	if h, ok := instance.(HealthChecker); ok {
		return h.Health(ctx)
	}
	return nil
}
