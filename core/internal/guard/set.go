package guard

import (
	"time"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// The names of the built-in modules that step in, of a partitioner and of an
// assignor that failed.
const (
	FallbackPartitionerName = "sticky"
	FallbackAssignorName    = "range"
)

// Module is one module that runs.
type Module struct {
	Descriptor module.Descriptor
	// Binding is "in-process" or "subprocess".
	Binding  string
	Instance any
	// Process tells how the subprocess is doing; nil in-process.
	Process func() Process
}

// Process is how a module's subprocess is doing.
type Process struct {
	PID       int
	State     string
	Restarts  int
	LastError string
}

// Options is what a [Set] is made with.
type Options struct {
	Log   hclog.Logger
	Clock clock.Clock
	// The deadlines of one call.
	PartitionerTimeout, AssignorTimeout, CodecTimeout time.Duration
	// MaxDecompressed bounds every codec's output, in bytes.
	MaxDecompressed int
	// The built-in modules that step in; nil in a distribution without them.
	FallbackPartitioner partitioner.Partitioner
	FallbackAssignor    assignor.Assignor
}

// Set is all modules of a broker behind their guards. It does not change; safe
// for concurrent use.
type Set struct {
	entries         []entry
	partitioners    map[string]*Partitioner
	assignors       map[string]*Assignor
	codecs          [8]*Codec
	strategies      map[string]replication.Strategy
	engine          storage.Engine
	election        election.Election
	maxDecompressed int
}

type entry struct {
	Module
	meter *meter
}

// New guards modules. It refuses an instance that is not of its kind, and two
// codecs of one attribute.
func New(modules []Module, o Options) (*Set, error) {
	s := &Set{
		partitioners: map[string]*Partitioner{}, assignors: map[string]*Assignor{},
		strategies: map[string]replication.Strategy{}, maxDecompressed: o.MaxDecompressed,
	}
	for _, m := range modules {
		meter := newMeter(o.Log.Named(m.Descriptor.ID()), o.Clock)
		if err := s.add(m, meter, o); err != nil {
			return nil, err
		}
		s.entries = append(s.entries, entry{m, meter})
	}
	return s, nil
}

func (s *Set) add(m Module, meter *meter, o Options) error {
	name, ok := m.Descriptor.Name, false
	switch m.Descriptor.Kind {
	case module.Partitioner:
		p := &Partitioner{fallback: o.FallbackPartitioner, meter: meter}
		p.limiter.timeout, p.fallbackLimiter.timeout = o.PartitionerTimeout, o.PartitionerTimeout
		p.instance, ok = m.Instance.(partitioner.Partitioner)
		s.partitioners[name] = p
	case module.Assignor:
		a := &Assignor{fallback: o.FallbackAssignor, meter: meter}
		a.limiter.timeout, a.fallbackLimiter.timeout = o.AssignorTimeout, o.AssignorTimeout
		a.instance, ok = m.Instance.(assignor.Assignor)
		s.assignors[name] = a
	case module.Codec:
		var instance codec.Codec
		if instance, ok = m.Instance.(codec.Codec); ok {
			return s.addCodec(m, &Codec{id: m.Descriptor.ID(), instance: instance, info: instance.Info(), timeout: o.CodecTimeout, meter: meter})
		}
	case module.Storage:
		var instance storage.Engine
		instance, ok = m.Instance.(storage.Engine)
		s.engine = &engine{instance, meter}
	case module.Election:
		var instance election.Election
		instance, ok = m.Instance.(election.Election)
		s.election = &meteredElection{instance, meter}
	case module.Replication:
		var instance replication.Strategy
		instance, ok = m.Instance.(replication.Strategy)
		s.strategies[name] = &strategy{instance, meter}
	}
	if !ok {
		return module.Fatalf("module %s does not implement the contract of its kind; it is a %T", m.Descriptor.ID(), m.Instance)
	}
	return nil
}

func (s *Set) addCodec(m Module, c *Codec) error {
	attribute := c.info.Attribute
	if attribute < 0 || int(attribute) >= len(s.codecs) {
		return module.Fatalf("module %s has the attribute %d; a batch has room for 0 to 7", m.Descriptor.ID(), attribute)
	}
	if other := s.codecs[attribute]; other != nil {
		return module.Fatalf("modules %s and %s have both the attribute %d; choose one of them", other.id, m.Descriptor.ID(), attribute)
	}
	s.codecs[attribute] = c
	return nil
}

// Partitioner is the one of that name.
func (s *Set) Partitioner(name string) (*Partitioner, bool) {
	p, ok := s.partitioners[name]
	return p, ok
}

// Assignor is the one of that name.
func (s *Set) Assignor(name string) (*Assignor, bool) {
	a, ok := s.assignors[name]
	return a, ok
}

// Engine is the storage engine.
func (s *Set) Engine() storage.Engine { return s.engine }

// Election is the election.
func (s *Set) Election() election.Election { return s.election }

// Strategies are the replication strategies by name.
func (s *Set) Strategies() map[string]replication.Strategy { return s.strategies }

// Names lists the modules of a kind in the order of the configuration.
func (s *Set) Names(kind module.Kind) []string {
	var names []string
	for _, e := range s.entries {
		if e.Descriptor.Kind == kind {
			names = append(names, e.Descriptor.Name)
		}
	}
	return names
}

// Report is one module and what became of its calls.
type Report struct {
	Descriptor module.Descriptor
	Binding    string
	Process    Process
	Stats      Stats
}

// Reports is in the order of the configuration.
func (s *Set) Reports() []Report {
	reports := make([]Report, len(s.entries))
	for i, e := range s.entries {
		r := Report{Descriptor: e.Descriptor, Binding: e.Binding, Process: Process{State: "running"}, Stats: e.meter.stats()}
		if e.Module.Process != nil {
			r.Process = e.Module.Process()
		}
		if r.Stats.LastError == "" || r.Process.State != "running" {
			r.Stats.LastError = oneLine(r.Process.LastError)
		}
		reports[i] = r
	}
	return reports
}
