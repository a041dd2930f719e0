package coordinator

import "sync"

// work is the goroutines of a coordinator. None begins after stop.
type work struct {
	mu      sync.Mutex
	stopped bool
	running sync.WaitGroup
}

// begin runs f in a goroutine of its own, unless work was stopped.
func (w *work) begin(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.running.Go(f)
	}
}

// stop waits for what is running.
func (w *work) stop() {
	w.mu.Lock()
	w.stopped = true
	w.mu.Unlock()
	w.running.Wait()
}
