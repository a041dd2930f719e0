// Package module says what an Odradek module is: a kind, a name, a version,
// settings with defaults and validation, and a life of build, start, use and
// stop.
//
// A module is described by a [Factory]. The packages of the kinds
// (sdk/partitioner, sdk/codec, ...) each have a function Module that returns
// one, so that a factory always builds what its kind promises. A distribution
// is a plain list of factories: there is no registry and no init function.
//
// The same factory serves both bindings. In-process the host calls
// [Factory.New] itself; in a subprocess sdk/remote does, with settings that
// crossed the process as JSON. A module cannot tell the difference and must
// not try to.
package module
