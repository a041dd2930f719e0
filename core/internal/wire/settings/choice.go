package settings

import "odradek.dev/sdk/module"

// Binding is how a module runs.
type Binding string

// The bindings.
const (
	InProcess  Binding = "in-process"
	Subprocess Binding = "subprocess"
)

// Choice is one module that a configuration chose.
type Choice struct {
	Kind    module.Kind
	Name    string
	Binding Binding
	// Factory builds the module in this process, and serves it in a subprocess
	// of the same executable. It is nil for a module with an executable of its
	// own.
	Factory *module.Factory
	// Exec, Args and SHA256 are the third party's executable, its arguments,
	// and what it must hash to; empty for any.
	Exec   string
	Args   []string
	SHA256 string
	// Settings are the module's own.
	Settings map[string]any
	// At is where it was chosen.
	At Origin
}

// Where begins an error about starting the module: the place that chose it, if
// one did, and its name.
func (c Choice) Where() string {
	name := "modules." + string(c.Kind) + "." + c.Name
	if c.At.Layer == fromDefault {
		return name
	}
	return c.At.String() + ": " + name
}

// key is the key below which its settings are, as file, environment and -X
// write it: a kind of which there is one has no name in it.
func (c Choice) key() string {
	if c.Kind.Many() {
		return "modules." + string(c.Kind) + "." + c.Name
	}
	return "modules." + string(c.Kind)
}

// ID is the kind and the name.
func (c Choice) ID() string { return string(c.Kind) + "/" + c.Name }

// isolable are the kinds whose contract can cross a process today.
var isolable = []module.Kind{module.Partitioner, module.Assignor, module.Codec}

// defaultNames is what a configuration without the section of a kind gets; for
// the kinds that are not here it is all that the distribution has.
var defaultNames = map[module.Kind][]string{
	module.Storage:     {"segment"},
	module.Election:    {"raft"},
	module.Replication: {"isr"},
}

// distribution is the modules that were compiled in.
type distribution map[module.Kind][]module.Factory

func newDistribution(factories []module.Factory, problems *Problems) distribution {
	d := distribution{}
	for _, f := range factories {
		descriptor := f.Descriptor()
		if err := descriptor.Validate(); err != nil {
			problems.add(Origin{}, "distribution: %v", err)
			continue
		}
		if d.find(descriptor.Kind, descriptor.Name) != nil {
			problems.add(Origin{}, "distribution: module %s is listed twice", descriptor.ID())
			continue
		}
		d[descriptor.Kind] = append(d[descriptor.Kind], f)
	}
	return d
}

func (d distribution) find(kind module.Kind, name string) *module.Factory {
	for i, f := range d[kind] {
		if f.Descriptor().Name == name {
			return &d[kind][i]
		}
	}
	return nil
}

// names is in the order of the distribution.
func (d distribution) names(kind module.Kind) []string {
	var names []string
	for _, f := range d[kind] {
		names = append(names, f.Descriptor().Name)
	}
	return names
}

// defaults are the modules of a kind that a configuration says nothing of. A
// distribution without the usual one has its only one as the default.
func (d distribution) defaults(kind module.Kind) []string {
	names := d.names(kind)
	usual, fixed := defaultNames[kind]
	if fixed && d.find(kind, usual[0]) != nil || len(names) == 0 {
		return usual
	}
	if fixed && len(names) > 1 {
		return nil
	}
	return names
}
