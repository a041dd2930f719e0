package supervise

import (
	"time"

	"odradek.dev/sdk/module"
)

// State is where a module stands.
type State string

// The states.
const (
	// Running: there is a process, and it serves.
	Running State = "running"
	// Restarting: there is no process, and there will be one soon.
	Restarting State = "restarting"
	// Quarantined: the process kept dying and is tried rarely.
	Quarantined State = "quarantined"
	// Stopped: the broker has stopped the module.
	Stopped State = "stopped"
)

// Status is what `odradek plugin list` shows of a module process.
type Status struct {
	Descriptor module.Descriptor
	State      State
	// PID is zero while there is no process.
	PID int
	// Restarts counts the starts after the first, failed ones too.
	Restarts int
	// Retry is when the next process is started; zero while there is one.
	Retry time.Time
	// LastError says why the last process has ended, nil if none has.
	LastError error
	// Unwell is what the module answered when it was last asked for its
	// health, nil if it is well.
	Unwell error
	// Framed says that hot calls go over the framed socket.
	Framed bool
}
