// Package zstd is the codec of attribute 4: one Zstandard frame (RFC 8878) a
// batch. Frames carry their content size and no checksum, since the batch
// around them has one. Several frames and skippable frames are read;
// dictionaries are not.
//
// Levels are those of compression.zstd.level, -131072 to 22. The library has
// four, and a level stands for the one that is nearest in speed:
//
//	below 3    fastest
//	3 to 5     default
//	6 to 9     better
//	10 to 22   best
//
// How a budget is kept: the headers of all blocks are read first, which bounds
// the output. If the bound is at most 1 MiB over the budget, the frames are
// decoded in memory of just that size. Otherwise they are decoded as a stream,
// and a window over the budget (or over 8 MiB, if the budget is smaller) is
// refused, because a stream needs the memory of its window.
package zstd
