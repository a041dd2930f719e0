package partitiontest

import (
	"bytes"
	"context"

	"odradek.dev/sdk/storage"
)

// SeekTime implements [storage.Log].
func (l *Log) SeekTime(_ context.Context, ms, before int64) (storage.Position, bool, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, b := range l.batches {
		if b.MaxTimestamp() >= ms && b.BaseOffset() < before && b.LastOffset() >= l.start {
			return storage.Position{BaseOffset: b.BaseOffset(), Timestamp: b.MaxTimestamp()}, true, nil
		}
	}
	return storage.Position{}, false, nil
}

// MaxTime implements [storage.Log].
func (l *Log) MaxTime(_ context.Context, before int64) (at storage.Position, ok bool, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, b := range l.batches {
		if b.BaseOffset() < before && (!ok || b.MaxTimestamp() > at.Timestamp) {
			at, ok = storage.Position{BaseOffset: b.BaseOffset(), Timestamp: b.MaxTimestamp()}, true
		}
	}
	return at, ok, nil
}

// Bounds implements [storage.Log].
func (l *Log) Bounds(context.Context) (storage.Bounds, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return storage.Bounds{Start: l.start, Durable: l.durable, End: l.end, Bytes: l.size}, nil
}

// Sync implements [storage.Log].
func (l *Log) Sync(context.Context) (int64, error) {
	if l.engine.FailSync != nil {
		if err := l.engine.FailSync(); err != nil {
			return 0, err
		}
	}
	l.mu.RLock()
	end, gate := l.end, l.Gate
	l.mu.RUnlock()
	if gate != nil {
		<-gate
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Syncs++
	l.durable = max(l.durable, end)
	return l.durable, nil
}

// Truncate implements [storage.Log].
func (l *Log) Truncate(_ context.Context, offset int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, b := range l.batches {
		if b.BaseOffset() >= offset {
			l.size, l.end = b.at, b.BaseOffset()
			l.batches = l.batches[:i]
			break
		}
	}
	for len(l.bases) > 1 && l.bases[len(l.bases)-1] >= l.end {
		l.bases = l.bases[:len(l.bases)-1]
	}
	for at := range l.states {
		if at > l.end {
			delete(l.states, at)
		}
	}
	l.durable = min(l.durable, l.end)
	return nil
}

// BeginEpoch implements [storage.Log].
func (l *Log) BeginEpoch(context.Context, int32) error { return nil }

// Epochs implements [storage.Log].
func (l *Log) Epochs(context.Context) ([]storage.EpochStart, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.epochs, nil
}

// SetEpochs is what Epochs answers from now on.
func (l *Log) SetEpochs(starts ...storage.EpochStart) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.epochs = starts
}

// SaveState implements [storage.Log].
func (l *Log) SaveState(_ context.Context, offset int64, state []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states[offset] = bytes.Clone(state)
	return nil
}

// LoadState implements [storage.Log].
func (l *Log) LoadState(_ context.Context, upTo int64) (int64, []byte, bool, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	newest, ok := int64(-1), false
	for at := range l.states {
		if at <= upTo && at > newest {
			newest, ok = at, true
		}
	}
	return newest, l.states[newest], ok, nil
}

// States returns the offsets of the kept producer states.
func (l *Log) States() []int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var all []int64
	for at := range l.states {
		all = append(all, at)
	}
	return all
}

// DropStates forgets them, as a crash before they were kept would.
func (l *Log) DropStates() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.states)
}

// SaveHard implements [storage.Log].
func (l *Log) SaveHard(_ context.Context, value []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hard = bytes.Clone(value)
	return nil
}

// LoadHard implements [storage.Log].
func (l *Log) LoadHard(context.Context) ([]byte, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.hard, nil
}

// Configure implements [storage.Log].
func (l *Log) Configure(_ context.Context, c storage.Config) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Configured = append(l.Configured, c)
	return nil
}

// Close implements [storage.Log].
func (l *Log) Close(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return nil
}
