// Package remote runs modules in processes of their own, over HashiCorp's
// go-plugin. It is the only package that knows go-plugin.
//
// A third party's module is a program whose main is one line:
//
//	func main() { remote.Serve(mypartitioner.Factory()) }
//
// The host starts it with [Launch] and gets a [Process], whose Instance
// implements the contract of the module's kind: the caller cannot tell it from
// a module in its own process, but for the errors [ErrClosed], [ErrDeadline],
// [ErrProtocol] and [ErrTooLarge], which are retriable or invalid. A host that
// offers its own modules as processes executes itself: main asks
// [IsModuleProcess] first.
//
// Control calls, and hot calls if nothing better was agreed on, go over gRPC.
// Hot calls (partition, compress, decompress) go over a framed socket that the
// child inherits: about a quarter of the time of a gRPC call, and a twentieth
// with many of them in flight. PROTOCOL.md has all of it, for those who write a
// module in another language.
//
// # How a kind is added
//
// Each kind is a pair of files, NAME_host.go (the contract, calling the child)
// and NAME_child.go (the gRPC service, calling the instance), and a line in
// [kinds]. A new kind needs, in this order: NAME.proto below proto/, whose
// answers have an Error as their first field; the two files; for hot calls an
// operation in internal/frame and a payload in NAME_frame.go, the same on both
// sides; the line. Nothing else here changes: starting, configuring, health,
// stopping, logs and deadlines do not know kinds. The supervisor in the core
// needs a proxy of the kind as well.
//
// Two rules keep both bindings equal. Errors of the module travel inside the
// answer, with their class and code; a gRPC status is only for calls that did
// not come through. And a list that is empty arrives as nil.
package remote
