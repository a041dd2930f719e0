package supervise

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// fakeProcess is a process that a test ends by hand.
type fakeProcess struct {
	pid      int
	instance any
	health   func(ctx context.Context) error

	once    sync.Once
	done    chan struct{}
	err     error
	stopped atomic.Bool
	killed  atomic.Bool
}

func newFake(pid int, instance any) *fakeProcess {
	return &fakeProcess{pid: pid, instance: instance, done: make(chan struct{})}
}

func (p *fakeProcess) end(err error) {
	p.once.Do(func() {
		p.err = err
		close(p.done)
	})
}

func (p *fakeProcess) Instance() any { return p.instance }
func (p *fakeProcess) Descriptor() module.Descriptor {
	return module.Descriptor{Kind: module.Partitioner, Name: "fake", Version: "1.0.0"}
}
func (p *fakeProcess) PID() int     { return p.pid }
func (p *fakeProcess) Framed() bool { return true }
func (p *fakeProcess) Health(ctx context.Context) error {
	if p.health == nil {
		return nil
	}
	return p.health(ctx)
}
func (p *fakeProcess) Kill() {
	p.killed.Store(true)
	p.end(module.Retriablef("killed"))
}
func (p *fakeProcess) Stop(context.Context) error {
	p.stopped.Store(true)
	p.end(nil)
	return nil
}
func (p *fakeProcess) Done() <-chan struct{} { return p.done }
func (p *fakeProcess) Err() error            { return p.err }

// hangs never answers.
func hangs(ctx context.Context) error {
	<-ctx.Done()
	return unanswered(ctx)
}

// unanswered is what a call says whose context has ended.
func unanswered(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return remote.ErrDeadline
}

// fakePartitioner answers what assign says, and is well.
type fakePartitioner struct {
	assign func(ctx context.Context) ([]int32, error)
}

func (f fakePartitioner) Assign(ctx context.Context, _ partitioner.Batch) ([]int32, error) {
	return f.assign(ctx)
}

func (fakePartitioner) Health(context.Context) error { return nil }

func answers(n int32) fakePartitioner {
	return fakePartitioner{func(context.Context) ([]int32, error) { return []int32{n}, nil }}
}

// fakeCodec copies, unless call fails.
type fakeCodec struct {
	info codec.Info
	call func(ctx context.Context) error
}

func (f fakeCodec) Info() codec.Info { return f.info }
func (fakeCodec) Compress(_ context.Context, dst, src []byte, _ int) ([]byte, error) {
	return append(dst, src...), nil
}
func (f fakeCodec) Decompress(ctx context.Context, dst, src []byte, _ int) ([]byte, error) {
	if f.call != nil {
		if err := f.call(ctx); err != nil {
			return nil, err
		}
	}
	return append(dst, src...), nil
}
func (fakeCodec) Health(context.Context) error { return nil }
