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
	misses  misses
}

// misses counts the calls in a row that missed their deadlines. Safe for
// concurrent use; a count that two calls race for may be off by some.
type misses struct {
	inARow atomic.Int32
	// first and last are when the first and the last of them were missed, in
	// nanoseconds since 1970.
	first, last atomic.Int64
}

func (m *misses) add(now time.Time) {
	at := now.UnixNano()
	if m.inARow.Add(1) == 1 {
		m.first.Store(at)
	}
	m.last.Store(at)
}

// end is for a call that was answered.
func (m *misses) end() {
	if m.inARow.Load() != 0 {
		m.inARow.Store(0)
	}
}

// over reports whether n calls or more were missed in a row, over d or longer:
// many at once are one hitch.
func (m *misses) over(n int32, d time.Duration) bool {
	return m.inARow.Load() >= n && m.last.Load()-m.first.Load() >= int64(d)
}
