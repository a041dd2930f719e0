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
