// Partitioner-region keeps the records of a region on partitions of that
// region. A broker runs it as a process of its own.
package main

import "odradek.dev/sdk/remote"

func main() { remote.Serve(Factory()) }
