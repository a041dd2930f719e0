package partition

import (
	"sort"

	"odradek.dev/sdk/storage"
)

// EpochEnd is where a leader epoch ends in a log.
type EpochEnd struct {
	// Epoch is the one that was asked for, or the last before it that the log
	// has. It is -1 when the log knows nothing of that epoch; so is Offset.
	Epoch int32
	// Offset is the first that the epoch does not have any more, which is the
	// log end offset for the epoch of now.
	Offset int64
}

// EpochEnd finds where a leader epoch ended (KIP-279). A reader that got
// further in that epoch has read what the log lost since.
func (p *Partition) EpochEnd(epoch int32) (EpochEnd, error) {
	role := p.role.Load()
	// The end is read first: as long as the epoch of now has no batch, it is
	// where that epoch begins.
	end := p.end.Load()
	starts, err := p.log.Epochs(p.host.ctx())
	if err != nil {
		return EpochEnd{}, err
	}
	if len(starts) == 0 || starts[len(starts)-1].Epoch < role.Epoch {
		starts = append(starts[:len(starts):len(starts)], storage.EpochStart{Epoch: role.Epoch, Start: end})
	}
	return endOf(epoch, starts, end), nil
}

// endOf looks among the starts of epochs, which ascend and are at least one.
func endOf(epoch int32, starts []storage.EpochStart, end int64) EpochEnd {
	newest := starts[len(starts)-1]
	switch {
	case epoch == newest.Epoch:
		return EpochEnd{Epoch: epoch, Offset: end}
	case epoch == -1, epoch > newest.Epoch:
		return EpochEnd{Epoch: -1, Offset: -1}
	}
	next := sort.Search(len(starts), func(i int) bool { return starts[i].Epoch > epoch })
	if next == 0 {
		// It is older than all that is kept of the log.
		return EpochEnd{Epoch: epoch, Offset: starts[0].Start}
	}
	return EpochEnd{Epoch: starts[next-1].Epoch, Offset: starts[next].Start}
}
