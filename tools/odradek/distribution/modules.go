// Package distribution is the list of the modules that the odradek binary has.
package distribution

import (
	cooperativestickyassignor "odradek.dev/plugins/assignor/cooperative-sticky"
	rangeassignor "odradek.dev/plugins/assignor/range"
	roundrobinassignor "odradek.dev/plugins/assignor/roundrobin"
	stickyassignor "odradek.dev/plugins/assignor/sticky"
	"odradek.dev/plugins/assignor/uniform"
	"odradek.dev/plugins/codec/gzip"
	"odradek.dev/plugins/codec/lz4"
	"odradek.dev/plugins/codec/none"
	"odradek.dev/plugins/codec/snappy"
	"odradek.dev/plugins/codec/zstd"
	"odradek.dev/plugins/election/raft"
	"odradek.dev/plugins/partitioner/crc32"
	"odradek.dev/plugins/partitioner/fnv1a"
	"odradek.dev/plugins/partitioner/murmur2"
	"odradek.dev/plugins/partitioner/random"
	"odradek.dev/plugins/partitioner/roundrobin"
	"odradek.dev/plugins/partitioner/sticky"
	"odradek.dev/plugins/replication/isr"
	"odradek.dev/plugins/storage/memory"
	"odradek.dev/plugins/storage/segment"
	"odradek.dev/sdk/module"
)

// Modules returns every module that ships with Odradek. A configuration
// chooses among them and among the executables that it names.
func Modules() []module.Factory {
	return []module.Factory{
		segment.Factory(),
		memory.Factory(),

		raft.Factory(),

		isr.Factory(),

		sticky.Factory(),
		roundrobin.Factory(),
		random.Factory(),
		murmur2.Factory(),
		fnv1a.Factory(),
		crc32.Factory(),

		rangeassignor.Factory(),
		roundrobinassignor.Factory(),
		stickyassignor.Factory(),
		cooperativestickyassignor.Factory(),
		uniform.Factory(),

		none.Factory(),
		gzip.Factory(),
		snappy.Factory(),
		lz4.Factory(),
		zstd.Factory(),
	}
}
