package partitionertest

// Option tells [Run] what a partitioner documents to do otherwise than most.
type Option func(*promises)

type promises struct {
	ignoresKeys     bool
	emptyKeyless    bool
	fixedForKeyless bool
	skewed          bool
}

// IgnoresKeys is for a partitioner that places records with equal keys apart,
// and treats every record as one without a key.
func IgnoresKeys() Option { return func(p *promises) { p.ignoresKeys = true } }

// EmptyKeyIsNone is for a partitioner that treats the empty key like none.
func EmptyKeyIsNone() Option { return func(p *promises) { p.emptyKeyless = true } }

// KeylessIsFixed is for a partitioner that puts all records without a key into
// one partition, available or not.
func KeylessIsFixed() Option { return func(p *promises) { p.fixedForKeyless = true } }

// Skewed is for a partitioner that does not mean to use all partitions alike.
func Skewed() Option { return func(p *promises) { p.skewed = true } }
