package module

import (
	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/vfs"
)

// Env is what the host lends a module for its life. All of it is safe for
// concurrent use. A module takes time, files and randomness from here and from
// nowhere else, so that a test can replace them.
//
// Who builds a module in a program of their own, as for a client, may leave out
// the log, which then is silent, and the clock and the files, which then are the
// machine's.
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

// complete gives a module what its host left out.
func (e Env) complete() Env {
	if e.Log == nil {
		e.Log = hclog.NewNullLogger()
	}
	if e.Clock == nil {
		e.Clock = clock.Real()
	}
	if e.FS == nil {
		e.FS = vfs.OS()
	}
	return e
}
