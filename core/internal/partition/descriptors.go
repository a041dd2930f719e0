package partition

const (
	// mostFilesKept bounds the descriptors that extents are sent from, and
	// fewestFilesKept is what it takes to serve several readers at once.
	mostFilesKept   = 1024
	fewestFilesKept = 16
)

// filesKept is how many files are kept open to send from in a process that may
// have limit descriptors, 0 for no limit: an eighth of them. The larger part is
// for connections and the storage engine.
func filesKept(limit uint64) int {
	if limit == 0 {
		return mostFilesKept
	}
	return int(max(fewestFilesKept, min(mostFilesKept, limit/8)))
}
