package remote

import (
	"encoding/hex"
	"time"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
)

// DefaultStartTimeout is how long a module process may take from its start to
// being configured, if [Command.StartTimeout] is zero.
const DefaultStartTimeout = 10 * time.Second

// Command says which module to run, from which program.
type Command struct {
	// Path is the program; a name without a slash is looked up in PATH.
	Path string
	Args []string
	// SHA256 is the hash, in hex, that the program must have; empty for any.
	// It is checked at every start. On linux the very file that was checked is
	// executed; elsewhere another may be put in its place in between. A file
	// that others can write is not protected by a hash.
	SHA256 string
	// Env is added to the few variables that a child inherits of its host.
	Env []string

	Kind module.Kind
	Name string
	// Settings is what the user gave; the child's factory checks it.
	Settings map[string]any
	// Node, Seed and Dir become those of the module's [module.Env].
	Node int32
	Seed uint64
	Dir  string

	// Log gets the module's lines, at their levels, and what else the process
	// writes. It carries the module's ID as its name already, like
	// [module.Env.Log]. Nil for none.
	Log hclog.Logger
	// Clock meters the log; nil for the machine's.
	Clock clock.Clock
	// StartTimeout bounds the start; zero for [DefaultStartTimeout].
	StartTimeout time.Duration
	// NoFrames keeps hot calls on gRPC even if the child offers frames.
	NoFrames bool
}

// ID is the module's, "codec/zstd".
func (c Command) ID() string { return module.Descriptor{Kind: c.Kind, Name: c.Name}.ID() }

// Validate reports what is wrong with the command, before anything is started.
func (c Command) Validate() error {
	if c.Path == "" {
		return module.Invalidf("module %s has no program to run", c.ID())
	}
	if _, ok := kinds()[c.Kind]; !ok {
		return module.Invalidf("a module of kind %q cannot run in a process of its own", c.Kind)
	}
	if sum, err := hex.DecodeString(c.SHA256); err != nil || len(sum) != 0 && len(sum) != 32 {
		return module.Invalidf("sha256 %q of module %s must be 64 hexadecimal digits", c.SHA256, c.ID())
	}
	return nil
}

func (c Command) withDefaults() Command {
	if c.Log == nil {
		c.Log = hclog.NewNullLogger()
	}
	if c.Clock == nil {
		c.Clock = clock.Real()
	}
	if c.StartTimeout == 0 {
		c.StartTimeout = DefaultStartTimeout
	}
	return c
}
