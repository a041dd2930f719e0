package memory

import (
	"cmp"
	"context"
	"slices"

	"odradek.dev/sdk/storage"
)

// BeginEpoch implements [storage.Log].
func (l *partitionLog) BeginEpoch(_ context.Context, epoch int32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	l.begin(epoch, l.end)
	return nil
}

// begin notes a later epoch. One that had no batch before it gives way.
func (l *partitionLog) begin(epoch int32, start int64) {
	if epoch < 0 || len(l.epochs) > 0 && epoch <= l.epochs[len(l.epochs)-1].Epoch {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(l.epochs), func(e storage.EpochStart) bool { return e.Start >= start })
	l.epochs = append(kept, storage.EpochStart{Epoch: epoch, Start: start})
}

func (l *partitionLog) trimEpochs() {
	epochs := slices.Clone(l.epochs)
	for len(epochs) > 1 && epochs[1].Start <= l.start {
		epochs = epochs[1:]
	}
	if len(epochs) > 0 {
		epochs[0].Start = max(epochs[0].Start, l.start)
	}
	l.epochs = epochs
}

// Epochs implements [storage.Log].
func (l *partitionLog) Epochs(context.Context) ([]storage.EpochStart, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.epochs), l.usable()
}

// SaveState implements [storage.Log].
func (l *partitionLog) SaveState(_ context.Context, offset int64, bytes []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	saved := state{offset, slices.Clone(bytes)}
	at, found := slices.BinarySearchFunc(l.states, offset, func(s state, o int64) int { return cmp.Compare(s.offset, o) })
	if found {
		l.states[at] = saved
		return nil
	}
	l.states = slices.Insert(l.states, at, saved)
	return nil
}

// LoadState implements [storage.Log].
func (l *partitionLog) LoadState(_ context.Context, upTo int64) (int64, []byte, bool, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.usable(); err != nil {
		return 0, nil, false, err
	}
	for _, s := range slices.Backward(l.states) {
		if s.offset <= upTo {
			return s.offset, slices.Clone(s.bytes), true, nil
		}
	}
	return 0, nil, false, nil
}

// trimStates keeps, of the states at or below the first segment, the newest:
// a producer that has been idle since may be in it.
func (l *partitionLog) trimStates() {
	for len(l.states) > 1 && l.states[1].offset <= l.segments[0].base {
		l.states = l.states[1:]
	}
}

// SaveHard implements [storage.Log].
func (l *partitionLog) SaveHard(_ context.Context, value []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	l.hard = append([]byte{}, value...)
	return nil
}

// LoadHard implements [storage.Log].
func (l *partitionLog) LoadHard(context.Context) ([]byte, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.hard), l.usable()
}
