// Package codec is the contract of modules that compress and decompress record
// batches.
package codec

import (
	"context"

	"odradek.dev/sdk/module"
)

// Codec turns the records of one whole batch into their compressed form and
// back. Safe for concurrent use. A call whose context has ended gives an error.
//
// The host never gives back more than the budget that it asked for: an answer
// over it is refused, counted and logged. There is no fallback, since only the
// codec can read its own bytes: the request fails with the class of the error.
// The host may make a call a second time if the codec's process ended during it.
type Codec interface {
	// Info does not change during the life of an instance.
	Info() Info
	// Compress appends the compressed src to dst and returns it.
	Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error)
	// Decompress appends the decompressed src to dst and returns it. What it
	// adds is at most budget bytes; input that would give more is refused with
	// [ErrOverBudget] before more than the budget is allocated, damaged input
	// with [ErrCorrupt].
	Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error)
}

// Info is what the host must know of a codec.
type Info struct {
	// Attribute is the number in the low three bits of a batch's attributes:
	// 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.
	Attribute int8
	// The levels that Compress takes, all 0 for a codec without levels. The
	// default may lie outside of the range: gzip's is -1, below its 1 to 9.
	// [LevelDefault] always stands for the default.
	MinLevel, MaxLevel, DefaultLevel int
}

// Level resolves a level that Compress was given: the default for
// [LevelDefault], [ErrLevel] for one that the codec does not have.
func (i Info) Level(level int) (int, error) {
	switch {
	case level == LevelDefault:
		return i.DefaultLevel, nil
	case level != i.DefaultLevel && (level < i.MinLevel || level > i.MaxLevel):
		return 0, ErrLevel.With("%d is not within %d to %d", level, i.MinLevel, i.MaxLevel)
	}
	return level, nil
}

// LevelDefault asks Compress for the codec's default level.
const LevelDefault = -1 << 31

// The errors that a caller distinguishes.
var (
	// ErrCorrupt: the input is not what this codec writes.
	ErrCorrupt = module.NewError(module.Invalid, "codec.corrupt", "compressed data is corrupt")
	// ErrOverBudget: the output would be longer than the budget.
	ErrOverBudget = module.NewError(module.Invalid, "codec.over_budget", "decompressed data is over its budget")
	// ErrNone: the broker has no codec with the attribute.
	ErrNone = module.NewError(module.Invalid, "codec.none", "no such codec among the modules of this broker")
	// ErrLevel: the level is not one of the codec's.
	ErrLevel = module.NewError(module.Invalid, "codec.level", "compression level is out of range")
)

// Module makes the factory of a codec. The descriptor's kind may be left empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Codec, error)) module.Factory {
	d.Kind = module.Codec
	return module.NewFactory(d, defaults, build)
}
