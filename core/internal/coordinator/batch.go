package coordinator

import (
	"sync"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/sdk/record"
)

// batchBytes is how much of one step's records goes into a batch, if there is
// more than one record. It is cut where the records of a group end: of a group
// that lost a member and has no new epoch yet, say, nobody would see that
// something is left to assign. Only a group that alone has more than
// mostBatchBytes is cut itself; the smallest segment has room for that.
const (
	batchBytes     = 512 << 10
	mostBatchBytes = 768 << 10
)

// keptBytes is how much room is kept for the next step. Most steps are commits,
// which take little.
const keptBytes = 64 << 10

// batchRooms has room for the batches of a step, so that a commit allocates
// none. Safe for concurrent use.
type batchRooms struct{ pool sync.Pool }

func (r *batchRooms) get() *batchRoom {
	if room, ok := r.pool.Get().(*batchRoom); ok {
		return room
	}
	return &batchRoom{}
}

func (r *batchRooms) put(room *batchRoom) {
	if cap(room.encoded)+cap(room.batch) <= keptBytes {
		r.pool.Put(room)
	}
}

// batchRoom is where batches are made, one after the other.
type batchRoom struct {
	encoded, batch []byte
	// pairs are parts of encoded.
	pairs []record.Pair
}

// batches splits records into batches that a log takes. What is yielded is
// valid until the next.
func (room *batchRoom) batches(records []grouplog.Record, now int64) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		defer room.empty()
		for i, r := range records {
			room.add(r)
			if i+1 < len(records) && !room.isFull(r.Key.GroupID() != records[i+1].Key.GroupID()) {
				continue
			}
			room.batch = record.AppendBatch(room.batch[:0], now, room.pairs)
			if !yield(room.batch) {
				return
			}
			room.empty()
		}
	}
}

func (room *batchRoom) isFull(groupEnds bool) bool {
	size := len(room.encoded)
	return size >= mostBatchBytes || groupEnds && size >= batchBytes
}

// empty forgets what the pairs point to: encoded may have been moved meanwhile,
// and would be kept along with what it was moved from.
func (room *batchRoom) empty() {
	clear(room.pairs)
	room.encoded, room.pairs = room.encoded[:0], room.pairs[:0]
}

func (room *batchRoom) add(r grouplog.Record) {
	var pair record.Pair
	room.encoded, pair.Key, pair.Value = grouplog.Encode(room.encoded, r)
	room.pairs = append(room.pairs, pair)
}
