package supervise

import (
	"context"
	"sync/atomic"
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// process is what a module needs of a [remote.Process].
type process interface {
	Instance() any
	Descriptor() module.Descriptor
	PID() int
	Framed() bool
	Health(ctx context.Context) error
	Kill()
	Stop(ctx context.Context) error
	Done() <-chan struct{}
	Err() error
}

// launcher starts a process.
type launcher func(ctx context.Context, command remote.Command) (process, error)

func launchRemote(ctx context.Context, command remote.Command) (process, error) {
	p, err := remote.Launch(ctx, command)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// incarnation is one process of a module.
type incarnation struct {
	process
	born time.Time
	// retired is set before another incarnation can be born. An answer that
	// comes after it is refused: somebody may have acted on its absence.
	retired atomic.Bool
}
