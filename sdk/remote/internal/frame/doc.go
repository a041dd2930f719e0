// Package frame carries the hot calls between a host and a module process over
// one inherited socket: many calls in flight, answered in any order.
//
// PROTOCOL.md in sdk/remote has the layout byte by byte. [Caller] is the host's
// end and [Serve] the module's; both check every length before they allocate
// for it, and both drop what comes after its deadline.
package frame
