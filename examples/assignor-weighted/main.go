// Assignor-weighted gives the members of a consumer group partitions in
// proportion to their weights. A broker runs it as a process of its own.
package main

import "odradek.dev/sdk/remote"

func main() { remote.Serve(Factory()) }
