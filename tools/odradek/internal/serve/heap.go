package serve

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"odradek.dev/sdk/clock"
)

// usualPercent is Go's own GOGC.
const usualPercent = 100

// leastHeap is what the heap may grow to before it is collected, in bytes. A
// broker keeps so little that Go's collector, which goes by what is kept, would
// run some thirty times a second under load and take a third of the CPU.
const leastHeap = 32 << 20

// goLeastHeap is Go's own least heap at 100 percent. At another percentage it is as
// many times that, which must not be more than leastHeap.
const goLeastHeap = 4 << 20

// keepHeap holds the collector to leastHeap, unless the environment says how it
// is to work. Beyond that it works as always.
func keepHeap() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	// What the configuration took to read is given back: the next collection may be
	// far off.
	debug.FreeOSMemory()
	p := &pacer{percent: usualPercent, clock: clock.Real(), giveBack: debug.FreeOSMemory}
	p.collected()
	p.again()
}

// pacer sets the collector's percentage after each collection, and gives the
// memory of a broker that has come to rest back to the system: Go keeps what the
// heap may grow to.
type pacer struct {
	percent  int
	clock    clock.Clock
	giveBack func()
	// resting is from the last collection until the broker counts as at rest.
	resting clock.Timer
	// own is set while the collection that giving back takes is to come.
	own atomic.Bool
}

// rest is how long there is no collection when a broker has come to rest. Go
// collects every two minutes at least.
const rest = 10 * time.Second

// again has collected called by the next collection: what nobody refers to is
// finalized by it.
func (p *pacer) again() {
	runtime.SetFinalizer(&struct{ *pacer }{p}, func(s *struct{ *pacer }) {
		s.collected()
		s.again()
	})
}

// collected is called after each collection, by one goroutine at a time.
func (p *pacer) collected() {
	p.pace()
	if p.own.Swap(false) {
		return
	}
	if p.resting != nil {
		p.resting.Stop()
	}
	p.resting = p.clock.AfterFunc(rest, func() {
		p.own.Store(true)
		p.giveBack()
	})
}

// pace does not touch a percentage that is about right, since that stops all
// goroutines for a moment.
func (p *pacer) pace() {
	heap, roots := liveBytes()
	percent := percentFor(leastHeap, heap, roots)
	if diff := percent - p.percent; percent == usualPercent && diff != 0 || diff*8 > p.percent || -diff*8 > p.percent {
		p.percent = percent
		debug.SetGCPercent(percent)
	}
}

// liveBytes is what the last collection kept, and the roots that the collector
// counts besides: stacks and globals.
func liveBytes() (heap, roots uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64() + samples[2].Value.Uint64()
}

// percentFor is the percentage by which the next collection comes at a heap of
// least bytes, or at twice what is kept, whichever is more. The collector adds to
// what the heap keeps that percentage of heap and roots.
func percentFor(least uint64, heap, roots uint64) int {
	if heap+roots == 0 || heap >= least {
		return usualPercent
	}
	percent := (least - heap) * 100 / (heap + roots)
	return int(min(max(percent, usualPercent), least*100/goLeastHeap))
}
