package metrics

import "strconv"

// batchAt is a batch by the offset of one of its records.
type batchAt struct {
	topic     string
	partition int32
	offset    int64
}

// batchTimes has the timestamps of the batches at which groups are. A batch
// never changes, so what was read holds for as long as its topic does; a topic
// that is made anew begins at other offsets soon.
type batchTimes map[batchAt]int64

// timeReader reads times for one scrape.
type timeReader struct {
	source GroupSource
	before batchTimes
	// kept are those that were asked for: what nobody asks for is forgotten.
	kept batchTimes
	left int
}

func (t batchTimes) next(source GroupSource) *timeReader {
	return &timeReader{source: source, before: t, kept: batchTimes{}, left: timesPerScrape}
}

func (r *timeReader) read(at batchAt) (ms int64, ok bool) {
	if ms, ok = r.kept[at]; ok {
		return ms, true
	}
	if ms, ok = r.before[at]; !ok && r.left > 0 {
		r.left--
		ms, ok = r.source.BatchTime(at.topic, at.partition, at.offset)
	}
	if ok {
		r.kept[at] = ms
	}
	return ms, ok
}

func number(n int32) string { return strconv.FormatInt(int64(n), 10) }
