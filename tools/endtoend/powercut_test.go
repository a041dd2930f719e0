package endtoend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/vfs"
)

// memoryDisk is a whole broker's disk that forgets what was not synced. The
// metadata is on a real one, as it was when the topic had been created.
type memoryDisk struct {
	*vfs.Mem
	inject   vfs.Inject
	metadata string
}

func newMemoryDisk(t *testing.T) *memoryDisk {
	d := &memoryDisk{Mem: vfs.NewMem(), metadata: filepath.Join(t.TempDir(), "metadata")}
	d.inject = func(vfs.Op) error { return nil }
	return d
}

func (d *memoryDisk) start(t *testing.T) *inProcess {
	t.Helper()
	return startOn(t, segmentOn(vfs.WithFaults(d.Mem, d.inject), true), "log.dirs=/disk/data", "metadata.log.dir="+d.metadata)
}

// cut is the disk as a power cut at this moment leaves it.
func (d *memoryDisk) cut(t *testing.T, how vfs.Persistence, seed uint64, metadata string) *memoryDisk {
	t.Helper()
	left := newMemoryDisk(t)
	left.Mem = d.CrashClone(how, seed)
	require.NoError(t, os.CopyFS(left.metadata, os.DirFS(metadata)))
	return left
}

func savedCopy(t *testing.T, folder string) string {
	t.Helper()
	saved := filepath.Join(t.TempDir(), "saved")
	require.NoError(t, os.CopyFS(saved, os.DirFS(folder)))
	return saved
}

var flushEach = map[string]*string{"flush.messages": new("1")}

// TestAPowerCutTakesNothingThatWasAcknowledged cuts the power under producers to
// a topic with flush.messages=1, and has another broker find what is left.
func TestAPowerCutTakesNothingThatWasAcknowledged(t *testing.T) {
	const producers, partitions = 8, 4
	disk := newMemoryDisk(t)
	b := disk.start(t)
	orders := newTopic(t, b.addr(), "orders", partitions, flushEach)
	metadata := savedCopy(t, disk.metadata)

	var acknowledged [producers]atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for p := range producers {
		mine := orders.known(b.addr())
		running.Go(func() {
			for ctx.Err() == nil {
				code, _ := mine.produce(int32(p%partitions), fmt.Sprintf("%d %d", p, acknowledged[p].Load()))
				if code != 0 {
					t.Errorf("producer %d was refused: %d", p, code)
					return
				}
				acknowledged[p].Add(1)
			}
		})
	}
	for seed, how := range []vfs.Persistence{
		vfs.KeepNone, vfs.KeepPrefix, vfs.KeepSubset, vfs.KeepNone, vfs.KeepPrefix, vfs.KeepSubset, vfs.KeepNone, vfs.KeepSubset,
	} {
		before := acknowledged[producers-1].Load()
		require.Eventually(t, func() bool { return acknowledged[producers-1].Load() > before+20 }, time.Minute, time.Millisecond)
		var promised [producers]int64
		for p := range producers {
			promised[p] = acknowledged[p].Load()
		}
		left := disk.cut(t, how, uint64(seed), metadata)
		survivor := left.start(t)
		found := orders.known(survivor.addr())
		for partition := range int32(partitions) {
			requireSequences(t, found.values(partition), promised[:], int(partition), partitions)
		}
		code, _ := found.produce(0, "it goes on")
		require.Zero(t, code)
		require.NoError(t, survivor.stop())
	}
	stop()
	running.Wait()
	require.NoError(t, b.stop())
}

// requireSequences wants of each producer to a partition every value that was
// promised, and none missing between those that are there.
func requireSequences(t *testing.T, values []string, promised []int64, partition, partitions int) {
	t.Helper()
	next := make([]int64, len(promised))
	for _, v := range values {
		producer, number, _ := strings.Cut(v, " ")
		p, err := strconv.Atoi(producer)
		require.NoError(t, err)
		require.Equal(t, partition, p%partitions)
		require.Equal(t, strconv.FormatInt(next[p], 10), number, "producer %d", p)
		next[p]++
	}
	for p := partition; p < len(promised); p += partitions {
		require.GreaterOrEqual(t, next[p], promised[p], "producer %d has lost what was acknowledged", p)
	}
}

// TestManyProducersShareOneSync has the others come when the sync of the first
// has begun, and holds it until all have written.
func TestManyProducersShareOneSync(t *testing.T) {
	const producers = 16
	var writes, syncs atomic.Int64
	begun, all := make(chan struct{}), make(chan struct{})
	disk := newMemoryDisk(t)
	disk.inject = func(op vfs.Op) error {
		if !strings.HasSuffix(op.Path, "orders-0/00000000000000000000.log") {
			return nil
		}
		switch op.Kind {
		case vfs.OpWrite:
			if writes.Add(1) == producers {
				close(all)
			}
		case vfs.OpSync:
			if syncs.Add(1) == 1 {
				close(begun)
			}
			<-all
		}
		return nil
	}
	b := disk.start(t)
	orders := newTopic(t, b.addr(), "orders", 1, flushEach)
	metadata := savedCopy(t, disk.metadata)
	var running sync.WaitGroup
	for p := range producers {
		mine := orders.known(b.addr())
		running.Go(func() {
			if code, _ := mine.produce(0, strconv.Itoa(p)); code != 0 {
				t.Errorf("producer %d was refused: %d", p, code)
			}
		})
		<-begun
	}
	running.Wait()
	require.EqualValues(t, 2, syncs.Load(), "one that had begun, and one for all the others")

	survivor := disk.cut(t, vfs.KeepNone, 1, metadata).start(t)
	values := orders.known(survivor.addr()).values(0)
	slices.Sort(values)
	require.Len(t, slices.Compact(values), producers)
}
