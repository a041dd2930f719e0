package module

import "slices"

// Kind names one contract between the broker and its modules.
type Kind string

// The kinds, each with its contract in the sdk folder of the same name.
const (
	Partitioner Kind = "partitioner"
	Assignor    Kind = "assignor"
	Codec       Kind = "codec"
	Storage     Kind = "storage"
	Election    Kind = "election"
	Replication Kind = "replication"
)

var kinds = []Kind{Storage, Election, Replication, Partitioner, Assignor, Codec}

// Kinds returns every kind, in the order in which a configuration lists them.
func Kinds() []Kind { return slices.Clone(kinds) }

// Valid reports whether k is one of [Kinds].
func (k Kind) Valid() bool { return slices.Contains(kinds, k) }

// Many reports whether a broker uses several modules of the kind side by side.
// Of storage and election it uses exactly one.
func (k Kind) Many() bool { return k != Storage && k != Election }
