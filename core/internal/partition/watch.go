package partition

// Watch tells waiter of what becomes visible, beginning with what did since
// seen, which is of an earlier [Fetched]. room is above 0.
func (p *Partition) Watch(w *Watch, waiter *Waiter, seen, room int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watches.add(w, waiter, room)
	if !p.Role().Readable {
		waiter.Fire()
		return
	}
	w.grown(p.visibleBytes.Load() - seen)
}

// Watched says whether anybody waits for the partition.
func (p *Partition) Watched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watches.first != nil
}

// Unwatch ends it. When it has returned, the partition does not touch w and
// its waiter any more. A watch that is over already is no error.
func (p *Partition) Unwatch(w *Watch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watches.remove(w)
}
