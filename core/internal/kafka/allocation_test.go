package kafka

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/kafka/shape"
)

// The bounds of what a stranger may cost: eight times its size in memory, and a
// millisecond a kilobyte. An error message has its own few bytes.
const (
	mostPerByte  = 8
	errorBytes   = 4 << 10
	mostPerKByte = time.Millisecond
	// roundedUp is for what the allocator adds to what the budget counts.
	roundedUp = 2
)

// allocated is what decode takes in memory.
func allocated(decode func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	decode()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// requireCheap decodes a frame, and fails if that costs more than it may. What
// is refused by its header or its form may take no more than its size allows.
// What has the form of a request may take the budget of one; a decoder may
// refuse even that, for a null where none may be. Since the machine has other
// things to do, the least of several costs counts.
func requireCheap(t *testing.T, table *table, frame []byte) {
	t.Helper()
	most, longest := uint64(mostPerByte*len(frame)+errorBytes), mostPerKByte*time.Duration(1+len(frame)/1024)
	if new(request).parse(table, frame) == nil {
		most += uint64(shape.BudgetFor(0)) * roundedUp
	}
	least, fastest := uint64(1<<63), time.Duration(1<<62)
	for try := 0; try < 20 && (least > most || fastest > longest); try++ {
		least = min(least, allocated(func() { _ = parseAll(table, frame) }))
		began := time.Now()
		_ = parseAll(table, frame)
		fastest = min(fastest, time.Since(began))
	}
	require.LessOrEqual(t, least, most, "bytes allocated for %d", len(frame))
	require.LessOrEqual(t, fastest, longest, "time taken for %d bytes", len(frame))
}

// Every request of every version, damaged at every place in the ways that cost
// most: with a count that its bytes just allow, one that they do not, and
// without its end.
func TestWhatIsRefusedIsCheap(t *testing.T) {
	table := newTable()
	eachSample(func(a *api, version int16, whole []byte) {
		for at := len(whole) - len(kmsgBody(a, version)); at < len(whole); at++ {
			requireCheap(t, table, whole[:at])
			for _, count := range []uint32{4 << 10, 16 << 10, 1<<31 - 1, 1<<32 - 2} {
				hostile := append(bytes.Clone(whole[:at]), make([]byte, 16<<10)...)
				if a.flexible(version) {
					copy(hostile[at:], binary.AppendUvarint(nil, uint64(count)))
				} else {
					binary.BigEndian.PutUint32(hostile[at:], count)
				}
				requireCheap(t, table, hostile)
			}
		}
	})
}
