package raft

import "odradek.dev/sdk/module"

// proposal is one Append on its way.
type proposal struct {
	epoch int64
	data  []byte
	// done has room for the one answer, so that nobody need wait for it.
	done chan answer
}

type answer struct {
	last int64
	err  error
}

func newProposal(epoch int64, entries [][]byte) *proposal {
	return &proposal{epoch: epoch, data: encodeBatch(entries), done: make(chan answer, 1)}
}

// pending is who waits: for a proposal that Raft took to be committed, or for
// what a snapshot stands for to be dropped.
type pending struct {
	// taken will be handed out by Raft for writing next, in this order.
	taken []*proposal
	// indexed are those that were handed out, by the index they got.
	indexed map[uint64]*proposal
	// forget is where one that had a snapshot saved waits, nil if nobody does.
	forget chan<- error
}

// index notes that Raft gave the next proposal the index.
func (p *pending) index(index uint64) {
	if len(p.taken) > 0 {
		p.indexed[index] = p.taken[0]
		p.taken = p.taken[1:]
	}
}

// committed answers the proposal at index, if it is one of this broker's.
// Under another term something else was committed in its place.
func (p *pending) committed(index, term uint64, last int64) {
	waiting, ours := p.indexed[index]
	if !ours {
		return
	}
	delete(p.indexed, index)
	if waiting.epoch != int64(term) {
		waiting.done <- answer{err: module.Retriablef("another leader's entry took the place of this one: follow the log to see what was written")}
		return
	}
	waiting.done <- answer{last: last}
}

// refuse answers all that wait. What they wanted written may be on the disk.
func (p *pending) refuse(err error) {
	for _, waiting := range p.taken {
		waiting.done <- answer{err: err}
	}
	for _, waiting := range p.indexed {
		waiting.done <- answer{err: err}
	}
	if p.forget != nil {
		p.forget <- err
	}
	*p = pending{indexed: map[uint64]*proposal{}}
}
