// Package childlog brings what a module process writes to its standard output
// and error into the host's log: hclog lines at their level, anything else as
// it stands, all of it bounded in size and rate.
package childlog
