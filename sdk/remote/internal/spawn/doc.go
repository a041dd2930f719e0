// Package spawn starts a module process so that it can be trusted to be the
// file that was meant, to die with its host, and to leave nothing behind.
package spawn
