package supervise

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// Spec says what to keep running, and how.
type Spec struct {
	Command remote.Command
	// Policy is [DefaultPolicy] if it is zero.
	Policy Policy
	// Each ProbeInterval the process is asked for its health: that finds one
	// that hangs while nobody calls it. A call that misses its deadline, or
	// takes longer than ProbeTimeout, has it asked at once, so this may be
	// slow; at five seconds, the default, it costs a broker that idles nothing
	// that can be measured.
	ProbeInterval time.Duration
	// ProbeTimeout is how long the process may take to say that it is well.
	// One that says nothing is killed. The default is half a second. Without a
	// call that makes it suspect it has four times as long, since a machine
	// that is short of processors is no fault of the module. For the same reason
	// no time counts in which the broker itself stood still.
	ProbeTimeout time.Duration
	// Clock times restarts and probes; nil for the machine's.
	Clock clock.Clock
	// Changed, if not nil, is called with each new status, one after the
	// other. It must return soon.
	Changed func(Status)

	launch launcher
}

func (s Spec) withDefaults() Spec {
	if s.Policy == (Policy{}) {
		s.Policy = DefaultPolicy()
	}
	if s.ProbeInterval == 0 {
		s.ProbeInterval = 5 * time.Second
	}
	if s.ProbeTimeout == 0 {
		s.ProbeTimeout = 500 * time.Millisecond
	}
	if s.Clock == nil {
		s.Clock = clock.Real()
	}
	if s.Command.Log == nil {
		s.Command.Log = hclog.NewNullLogger()
	}
	if s.launch == nil {
		s.launch = launchRemote
	}
	return s
}

// Module is a module process under supervision. Safe for concurrent use.
type Module struct {
	spec  Spec
	log   hclog.Logger
	proxy proxy

	// current is nil while there is no process that serves.
	current atomic.Pointer[incarnation]
	// suspected has a value when a call to the current process has missed its
	// deadline.
	suspected chan struct{}

	cancel context.CancelFunc
	// ended is closed when nobody watches the process any more.
	ended chan struct{}

	mu     sync.Mutex
	status Status
	// changed is closed and replaced whenever status changes.
	changed chan struct{}

	// history and random belong to the goroutine that watches.
	history history
	random  *rand.Rand
}

// Start starts the first process. Its failure is the caller's: a module that
// does not start with the broker is not tried again.
func Start(ctx context.Context, spec Spec) (*Module, error) {
	spec = spec.withDefaults()
	p, err := spec.launch(ctx, spec.Command)
	if err != nil {
		return nil, err
	}
	watching, cancel := context.WithCancel(context.Background())
	m := &Module{
		spec: spec, log: spec.Command.Log, suspected: make(chan struct{}, 1),
		cancel: cancel, ended: make(chan struct{}),
		status: Status{Descriptor: p.Descriptor()}, changed: make(chan struct{}),
		random: rand.New(rand.NewPCG(spec.Command.Seed, 0)),
	}
	if m.proxy, err = newProxy(m, p); err != nil {
		cancel()
		p.Kill()
		<-p.Done()
		return nil, err
	}
	first := m.adopt(p)
	go m.watch(watching, first)
	return m, nil
}

// Instance implements the contract of the module's kind and
// [module.HealthChecker]. It stays the same for the life of m.
func (m *Module) Instance() any { return m.proxy }

// Status says where the module stands.
func (m *Module) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

// Stop stops the module and ends its process. The error is the module's.
func (m *Module) Stop(ctx context.Context) error {
	m.cancel()
	<-m.ended
	last := m.retire()
	m.change(func(s *Status) { s.State, s.PID = Stopped, 0 })
	if last == nil {
		return nil
	}
	return last.Stop(ctx)
}

// change updates the status and tells about it.
func (m *Module) change(update func(*Status)) {
	m.mu.Lock()
	update(&m.status)
	status := m.status
	close(m.changed)
	m.changed = make(chan struct{})
	m.mu.Unlock()
	if m.spec.Changed != nil {
		m.spec.Changed(status)
	}
}

// await waits for a process other than one, nil for any. It returns nil when ctx
// ends before there is one, or when there will be none soon.
func (m *Module) await(ctx context.Context, one *incarnation) *incarnation {
	for {
		m.mu.Lock()
		state, changed := m.status.State, m.changed
		m.mu.Unlock()
		if current := m.current.Load(); current != nil && current != one {
			return current
		}
		if state == Quarantined || state == Stopped {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// adopt makes p the current incarnation.
func (m *Module) adopt(p process) *incarnation {
	born := &incarnation{process: p, born: m.spec.Clock.Now()}
	select {
	case <-m.suspected: // of the one before
	default:
	}
	m.current.Store(born)
	m.change(func(s *Status) {
		s.Descriptor, s.State, s.PID, s.Framed, s.Unwell, s.Retry = p.Descriptor(), Running, p.PID(), p.Framed(), nil, time.Time{}
	})
	m.log.Info("module process started", "module", p.Descriptor().String(), "pid", p.PID())
	return born
}

// retire leaves the module without a process, so that calls fail at once.
func (m *Module) retire() *incarnation {
	last := m.current.Swap(nil)
	if last != nil {
		last.retired.Store(true)
	}
	return last
}

// down is the error of a call while there is no process.
func (m *Module) down() error {
	s := m.Status()
	return ErrDown.With("%s is %s (last error: %v)", s.Descriptor.ID(), s.State, s.LastError)
}

// ErrDown is what a call gets that no process can answer now.
var ErrDown = module.NewError(module.Retriable, "module.down", "the module has no process")
