package supervise

import (
	"context"
	"errors"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// proxy is the instance of a module whose processes change. There is one type
// for each kind; besides proxy it implements the kind's contract.
type proxy interface {
	module.HealthChecker
	// accepts reports why instance cannot stand in for those before it.
	accepts(instance any) error
}

func newProxy(m *Module, p process) (proxy, error) {
	switch instance := p.Instance().(type) {
	case partitioner.Partitioner:
		return &partitionerProxy{anyProxy{m}}, nil
	case assignor.Assignor:
		return &assignorProxy{anyProxy{m}}, nil
	case codec.Codec:
		return &codecProxy{anyProxy{m}, instance.Info()}, nil
	}
	return nil, module.Invalidf("modules like %s cannot be supervised yet", p.Descriptor().ID())
}

// anyProxy is what the proxies of all kinds have in common.
type anyProxy struct{ module *Module }

// Health asks the current process.
func (p anyProxy) Health(ctx context.Context) error {
	_, err := forward(p.module, func(instance module.HealthChecker) (struct{}, error) {
		return struct{}{}, instance.Health(ctx)
	})
	return err
}

func (anyProxy) accepts(any) error { return nil }

// forward makes a call to the current process. A call that is answered after
// its process was retired fails, whatever the answer: the broker may have told
// somebody that it failed, or asked the next process.
func forward[M, R any](m *Module, call func(M) (R, error)) (R, error) {
	var none R
	current := m.current.Load()
	if current == nil {
		return none, m.down()
	}
	result, err := call(current.Instance().(M))
	if errors.Is(err, remote.ErrDeadline) {
		m.suspect()
	}
	if current.retired.Load() {
		return none, ErrDown.With("the process (pid %d) that %s ran in was replaced during the call", current.PID(), current.Descriptor().ID())
	}
	return result, err
}
