// Package wire is where a broker is put together: out of a configuration and
// the modules that it chose, both from package settings, it builds all parts,
// starts them in order, and stops them in reverse. It is the only package that
// knows fx.
//
// [App] is one broker; its parts are listed in parts.go, each in a file of its
// own.
package wire
