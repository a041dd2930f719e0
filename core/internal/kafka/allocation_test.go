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
// millisecond a kilobyte.
const (
	mostPerByte = 8
	// errorBytes is for the refusal itself, which the smallest frame gets too: an
	// error, its message and the path of names in it.
	errorBytes   = 1 << 10
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
// is refused may take no more than its size allows, and a general decoder refuses
// nothing that has the form of a request. A request may take the budget of one.
// Since the machine has other things to do, the least of several costs counts.
func requireCheap(t *testing.T, table *table, frame []byte) {
	t.Helper()
	most, longest := uint64(mostPerByte*len(frame)+errorBytes), mostPerKByte*time.Duration(1+len(frame)/1024)
	var r request
	refused := r.parse(table, frame)
	if refused == nil {
		refused = parseAll(table, frame)
		require.True(t, refused == nil || r.api.shape == nil, "passed its check, and then: %v", refused)
	}
	if refused == nil {
		most += uint64(shape.BudgetFor(0)) * roundedUp
	}
	least, fastest := uint64(1<<63), time.Duration(1<<62)
	for try := 0; try < 20 && (least > most || fastest > longest); try++ {
		least = min(least, allocated(func() { _ = parseAll(table, frame) }))
		began := time.Now()
		_ = parseAll(table, frame)
		fastest = min(fastest, time.Since(began))
	}
	require.LessOrEqual(t, least, most, "bytes allocated for %d: %v", len(frame), refused)
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
