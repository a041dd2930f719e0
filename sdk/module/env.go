package module

import (
	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/vfs"
)

// Env is what the host lends a module for its life. All of it is safe for
// concurrent use. A module takes time, files and randomness from here and from
// nowhere else, so that a test can replace them.
type Env struct {
	// Log carries the module's ID as its name.
	Log hclog.Logger
	// Clock is the only source of time.
	Clock clock.Clock
	// FS is the only way to files.
	FS vfs.FS
	// Dir is a folder of the module's own that outlives restarts. Only
	// election modules have one; it is empty for the other kinds.
	Dir string
	// Node is the broker's node.id.
	Node int32
	// Seed starts the module's random numbers.
	Seed uint64
}
