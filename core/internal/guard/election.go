package guard

import (
	"context"
	"errors"

	"odradek.dev/sdk/election"
)

// metered counts and times an election's calls but Follow, which waits for as
// long as there is nothing to tell.
type meteredElection struct {
	election.Election
	meter *meter
}

func (e *meteredElection) Append(ctx context.Context, epoch int64, entries [][]byte) (int64, error) {
	began := e.meter.begin()
	last, err := e.Election.Append(ctx, epoch, entries)
	e.meter.end(began)
	if err != nil && !errors.Is(err, election.ErrNotLeader) {
		e.meter.fail(err)
	}
	return last, err
}

func (e *meteredElection) SaveSnapshot(ctx context.Context, index int64, state []byte) error {
	began := e.meter.begin()
	err := e.Election.SaveSnapshot(ctx, index, state)
	e.meter.end(began)
	return e.meter.unlessInvalid(err)
}
