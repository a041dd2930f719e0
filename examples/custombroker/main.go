// Custombroker is a broker of one's own: a list of modules, and nothing that is
// not on it.
package main

import (
	"odradek.dev/core/broker"
	ranges "odradek.dev/plugins/assignor/range"
	"odradek.dev/plugins/codec/none"
	"odradek.dev/plugins/codec/zstd"
	"odradek.dev/plugins/election/raft"
	"odradek.dev/plugins/partitioner/sticky"
	"odradek.dev/plugins/replication/isr"
	"odradek.dev/plugins/storage/segment"
	"odradek.dev/sdk/module"
)

func main() { broker.Main(modules()...) }

// modules is everything that a configuration of this broker may name. A module
// of one's own stands here like the others.
func modules() []module.Factory {
	return []module.Factory{
		segment.Factory(),
		raft.Factory(),
		isr.Factory(),
		sticky.Factory(),
		ranges.Factory(),
		none.Factory(),
		zstd.Factory(),
	}
}
