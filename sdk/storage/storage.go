// Package storage is the contract of modules that keep partition logs on a
// disk, in memory or elsewhere.
//
// A log is record batches in order of offset, without gaps at the time of
// appending, from a start offset to an end offset. Gaps come only from
// [Log].Rewrite. The engine stores batches byte for byte as it gets them. It
// assigns nothing: base offset and leader epoch are written by the broker
// before the append.
package storage

import (
	"context"

	"odradek.dev/sdk/module"
)

// Engine keeps logs in directories. Safe for concurrent use.
//
// The host fails closed: when an engine errs with a fatal error, the log it
// concerns is taken offline, and no other engine steps in. If the error is
// [ErrDirectoryFailed], all logs of the directory are, and it is let go.
type Engine interface {
	// Mount takes a directory of log.dirs, creating it if need be. It refuses
	// ([ErrDirectoryInUse]) one that another process holds, and
	// ([ErrForeignDirectory]) one that belongs to another cluster or node.
	Mount(ctx context.Context, m Mount) (Mounted, error)
	// Unmount closes the logs of a directory that are still open, which may be
	// many and has to be a matter of seconds, and lets the directory go. One that
	// has failed is let go as it is: nothing more is written to it.
	Unmount(ctx context.Context, dir string) error
	// Open opens a partition's log in a mounted directory, creating it if it
	// is not there, and recovers it if the last stop was not clean. After
	// [ErrFull] and [ErrNoDescriptor] the host calls it again until it succeeds. A log of the
	// name that is another topic's was not removed, so its data is not deleted
	// either: the engine sets it aside, where it is no log any more and users
	// find it, or refuses with an error of class [module.Invalid].
	Open(ctx context.Context, o Open) (Log, Recovery, error)
	// Remove deletes a closed log for good. A log that is not there is no
	// error.
	Remove(ctx context.Context, dir string, id ID) error
	// SaveHighWatermarks keeps the high watermarks of some logs of a mounted
	// directory, beside those that it has of others, for who looks at the
	// directory. They are durable when the call returns. A log that is not there
	// is passed over.
	SaveHighWatermarks(ctx context.Context, dir string, marks []HighWatermark) error
}

// FileYielder is what an engine in the broker's own process may be too: one that
// keeps files open so that it need not open them again. Safe for concurrent use.
type FileYielder interface {
	// YieldFiles closes up to n files that are not in use at this moment, as long
	// as more than leave stay open, and returns how many. The host calls it when
	// the process has no descriptor left; it waits for no disk.
	YieldFiles(n, leave int) int
}

// HighWatermark is the offset up to which readers may see a log.
type HighWatermark struct {
	ID     ID
	Offset int64
}

// ID names one partition's log.
type ID struct {
	Topic string
	// TopicID tells a topic from an earlier one of the same name.
	TopicID   [16]byte
	Partition int32
}

// Mount asks for a directory.
type Mount struct {
	Dir       string
	ClusterID string
	Node      int32
}

// Mounted answers it.
type Mounted struct {
	// DirectoryID is the directory's own, kept in it since its first mount. A log
	// that is found nowhere while an id that was mounted before is not is offline
	// and not made anew: it may be in the directory that is missing.
	DirectoryID [16]byte
	// Clean says that the last stop was clean.
	Clean bool
	// Logs are those found in the directory.
	Logs []ID
}

// Open asks for a log.
type Open struct {
	Dir    string
	ID     ID
	Config Config
}

// Config is what of a topic's configuration concerns the engine. The names in
// brackets are Kafka's.
type Config struct {
	SegmentBytes       int64 // segment.bytes
	SegmentMs          int64 // segment.ms
	SegmentIndexBytes  int64 // segment.index.bytes
	IndexIntervalBytes int64 // index.interval.bytes
	FileDeleteDelayMs  int64 // file.delete.delay.ms
	Preallocate        bool  // preallocate
}

// Recovery says what opening a log found and mended.
type Recovery struct {
	// TruncatedBytes were cut from the tail as a torn write.
	TruncatedBytes int64
	// RebuiltIndexes is the number of index files made anew.
	RebuiltIndexes int
	// ScannedBytes is how much of the log had to be read.
	ScannedBytes int64
	// Compacted is [Rewrite]'s of the last one that said so, or of an earlier
	// one if a crash came soon after; 0 if there is none.
	Compacted int64
}

// Log is one partition's log. Append, Roll, Truncate, Trim, BeginEpoch,
// SaveState, SaveHard, Configure, Close and the last part of a Rewrite are
// called by one caller at a time; Read, SeekTime, Bounds, Segments, Epochs and
// Sync may run beside them and beside each other. So may the other parts of a
// Rewrite, one at a time.
//
// A write error leaves the log closed for writing until it is opened again:
// what a failed call left behind is not known to either side.
type Log interface {
	// Append writes whole batches, the first of which has the log's end as its
	// base offset. When it returns they can be read; they are durable only
	// after Sync. The log keeps no reference to Batches.
	Append(ctx context.Context, a Append) (Appended, error)
	// Read finds the batches from the one that holds r.Offset, or from the first
	// one after it if a Rewrite left none that does. It returns no bytes but
	// where they are; see [Extent].
	Read(ctx context.Context, r Read) (Chunk, error)
	// SeekTime finds the first batch, with a base offset below before, whose
	// largest timestamp is at least ms. ok is false when there is none.
	SeekTime(ctx context.Context, ms, before int64) (at Position, ok bool, err error)
	// MaxTime finds the batch below before that holds the largest timestamp;
	// the first of several. ok is false when the log is empty.
	MaxTime(ctx context.Context, before int64) (at Position, ok bool, err error)
	// Bounds is cheap: it touches no disk.
	Bounds(ctx context.Context) (Bounds, error)
	// Sync makes all that was appended before the call durable and returns the
	// offset up to which the log now is. Concurrent calls share their work. After
	// [ErrNoDescriptor] the host calls it again.
	Sync(ctx context.Context) (durable int64, err error)
	// Truncate removes all from offset on. The offset is a batch boundary, and
	// not within what a Rewrite has replaced.
	Truncate(ctx context.Context, offset int64) error
	// Trim raises the start offset; whole segments below it are removed, also
	// those that an earlier call had to leave. An offset above the end empties
	// the log and moves its end there too.
	Trim(ctx context.Context, start int64) error
	// Segments lists the segments, ascending; the last is the active one, which
	// appends go to. There is at least one. What is to be kept of them is the
	// host's to decide: the engine removes none by itself.
	Segments(ctx context.Context) ([]Segment, error)
	// Roll begins a new segment at the log's end and returns its base offset. It
	// returns -1, and begins none, if the active segment is empty.
	Roll(ctx context.Context) (rolled int64, err error)
	// Rewrite replaces whole segments by one, for compaction. It is optional: an
	// engine that cannot answers [ErrNotSupported], and changes nothing. See
	// [Rewrite].
	Rewrite(ctx context.Context, r Rewrite) error
	// BeginEpoch notes that epoch begins at the log's end. Batches note their
	// own epochs; this is for an epoch without any.
	BeginEpoch(ctx context.Context, epoch int32) error
	// Epochs lists the leader epochs of the log, ascending in both fields.
	Epochs(ctx context.Context) ([]EpochStart, error)
	// SaveState keeps the producer state as of offset, which is [Appended]'s
	// Rolled or the end at a clean close. The bytes are those of a Kafka
	// producer snapshot file. It is durable after the next Sync or Close; a crash
	// before may leave a part of it, which its checksum tells. Truncate drops the
	// states above it, Trim those that nobody needs any more. Of those that are
	// not at the base offset of a segment only the newest that is durable is sure
	// to be kept.
	SaveState(ctx context.Context, offset int64, state []byte) error
	// LoadState returns the newest state at or below upTo. ok is false if
	// there is none.
	LoadState(ctx context.Context, upTo int64) (offset int64, state []byte, ok bool, err error)
	// SaveHard replaces the replication strategy's small durable value; it is
	// durable when the call returns.
	SaveHard(ctx context.Context, value []byte) error
	// LoadHard returns it, nil if there is none.
	LoadHard(ctx context.Context) ([]byte, error)
	// Configure changes the configuration from now on.
	Configure(ctx context.Context, c Config) error
	// Close syncs and closes. Extents handed out before stay readable for as
	// long as the host has their file open.
	Close(ctx context.Context) error
}

// Append is batches to write.
type Append struct {
	// Batches is whole batches one after the other.
	Batches []byte
	// Now is the broker's clock in milliseconds, for rolling by age.
	Now int64
}

// Appended is where they are.
type Appended struct {
	// End is the log's new end offset.
	End int64
	// Rolled is the base offset of a segment that this append began, -1 if it
	// began none. A segment is never begun between two batches of one append.
	Rolled int64
}

// Rewrite is one part of replacing the segments from From up to To by one
// segment that begins at From. The host gives the batches that are to be in it
// in as many parts as it likes, so that no call has to carry a segment.
//
// Nothing is replaced before the last part, and then all at once: after a crash
// at any time, the log has the old segments or the new one. What a crash, an
// error or another First leaves of an unfinished rewrite is forgotten.
//
// Bounds, epochs and the newest producer state stay as they are; producer states
// within From and To may go. Extents handed out before stay readable for as long
// as the host has their file open; a file opened by its path afterwards may be
// the new one.
type Rewrite struct {
	// From is the Base of a segment and To the End of the same or a later one,
	// at most [Bounds]' Durable and not above the active segment's Base. They
	// are the same in all parts.
	From, To int64
	// First begins a rewrite.
	First bool
	// Batches is whole batches one after the other, in order of offset, at or
	// above From and below To; they are not kept after the call. There may be
	// gaps between them, but not behind the last one of all: it ends where To
	// is. So it is kept even if none of its records is.
	Batches []byte
	// Last puts the new segment in the place of the old ones.
	Last bool
	// Compacted, with the last part, is how far the host has compacted the log
	// then; 0 says nothing. The engine gives it back as [Recovery]'s.
	Compacted int64
}

// Read asks for batches.
type Read struct {
	Offset int64
	// Before bounds the answer: no batch with a base offset at or above it.
	Before int64
	// MaxBytes bounds the answer too, but not below the first whole batch.
	MaxBytes int64
	// PastDamage has a read of an offset that is damaged begin behind the damage,
	// where it would fail with [ErrCorrupt].
	PastDamage bool
}

// Chunk answers a read: extents that follow one another. Only the first batch
// is sure to be whole; the last may be cut off by MaxBytes, as Kafka allows.
// No extents means that there is nothing at the offset yet.
type Chunk struct {
	Extents []Extent
}

// Bytes is the length of the whole chunk.
func (c Chunk) Bytes() int64 {
	var sum int64
	for _, e := range c.Extents {
		sum += e.Length
	}
	return sum
}

// Extent is a run of bytes: in a file if Data is nil, so that the host can
// send it without reading it, or else Data itself, which nobody may change.
type Extent struct {
	File     File
	Position int64
	Length   int64
	Data     []byte
}

// File names a file that extents lie in. The host opens it read-only by path
// and keeps it open; bytes that were once below the log's end offset never
// change in it, except by Truncate.
type File struct {
	// ID is unique in the life of the engine: a path may come back, after a
	// Rewrite too, an ID does not.
	ID   uint64
	Path string
}

// Position is where one batch is.
type Position struct {
	// BaseOffset is the batch's.
	BaseOffset int64
	// Timestamp is the largest in the batch, in milliseconds.
	Timestamp int64
}

// Bounds is the extent of a log.
type Bounds struct {
	// Start is the log start offset, End the log end offset (the next one to
	// be written), Durable the offset up to which the log survives a power cut.
	// Start <= Durable <= End.
	Start, Durable, End int64
	// Bytes is the size of the batches.
	Bytes int64
}

// Segment is a run of batches that is removed as a whole.
type Segment struct {
	// Base is where it begins, and End where the next one does, or the log
	// ends. The first one's Base is at or below the log start offset.
	Base, End int64
	// Bytes is the size of the batches.
	Bytes int64
	// MaxTimestamp is the largest of the batches, in milliseconds. If none has
	// any, it is when the segment was last written to; -1 if that is not known.
	MaxTimestamp int64
}

// EpochStart says at which offset a leader epoch began.
type EpochStart struct {
	Epoch int32
	Start int64
}

// The errors that a caller distinguishes.
var (
	// ErrOffsetOutOfRange: below the start or above the end of the log.
	ErrOffsetOutOfRange = module.NewError(module.Invalid, "storage.offset_out_of_range", "offset is out of the log's range")
	// ErrNotContiguous: the first batch of an append does not begin at the end.
	ErrNotContiguous = module.NewError(module.Invalid, "storage.not_contiguous", "append does not begin at the end of the log")
	// ErrTooLarge: an append is larger than a segment.
	ErrTooLarge = module.NewError(module.Invalid, "storage.too_large", "append is larger than a segment")
	// ErrNotSupported: the engine has no such optional capability.
	ErrNotSupported = module.NewError(module.Invalid, "storage.not_supported", "not supported by this storage engine")
	// ErrCorrupt: the bytes at the offset are damaged, and intact ones follow.
	ErrCorrupt = module.NewError(module.Fatal, "storage.corrupt", "log is corrupt")
	// ErrFull: the disk is full; the log ends where it ended before.
	ErrFull = module.NewError(module.Retriable, "storage.full", "disk is full")
	// ErrNoDescriptor: the process has as many files open as it may have; the log
	// is as it was.
	ErrNoDescriptor = module.NewError(module.Retriable, "storage.no_descriptor", "too many files are open")
	// ErrClosed: the log was closed, or closed itself after a write error.
	ErrClosed = module.NewError(module.Fatal, "storage.closed", "log is closed")
	// ErrDirectoryFailed: the disk of a directory failed to do what it was asked
	// for. No log of the directory is written any more before it is mounted
	// again. A full disk is none that has failed.
	ErrDirectoryFailed = module.NewError(module.Fatal, "storage.directory_failed", "log directory has failed")
	// ErrDirectoryInUse: another process has the directory.
	ErrDirectoryInUse = module.NewError(module.Fatal, "storage.directory_in_use", "log directory is in use by another process")
	// ErrForeignDirectory: the directory is another cluster's or node's.
	ErrForeignDirectory = module.NewError(module.Fatal, "storage.foreign_directory", "log directory belongs to another broker")
)

// Module makes the factory of a storage engine. The descriptor's kind may be
// left empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Engine, error)) module.Factory {
	d.Kind = module.Storage
	return module.NewFactory(d, defaults, build)
}
