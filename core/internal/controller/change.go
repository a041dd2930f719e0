package controller

import (
	"context"
	"errors"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// planner reads an image and says what to append, and what the answer is once
// that is committed.
type planner[A any] func(*metadata.Image) ([]metadata.Record, A)

// change plans, appends what was planned, and answers when it is applied here.
//
// A caller that gives up does not take the change back: it runs on to its end,
// so that the next one is planned on what truly came of it.
func change[A any](ctx context.Context, c *Controller, plan planner[A]) (A, error) {
	type outcome struct {
		answer A
		err    error
	}
	var none A
	select {
	case c.turn <- struct{}{}:
	case <-c.life.Done():
		return none, errStopped
	case <-ctx.Done():
		return none, ctx.Err()
	}
	ended := make(chan outcome, 1)
	c.running.Go(func() {
		defer func() { <-c.turn }()
		var o outcome
		o.err = c.changeInTurn(func(i *metadata.Image) (records []metadata.Record) {
			records, o.answer = plan(i)
			return records
		})
		ended <- o
	})
	o, came := deadline.Await(ctx, ended)
	if !came {
		return none, ctx.Err()
	}
	return o.answer, o.err
}

var (
	errStopped       = module.NewError(module.Retriable, "controller.stopped", "the broker is stopping")
	errNotController = module.NewError(module.Retriable, "controller.not_leading", "this broker is not the controller, or does not know yet all that was written before it was")
)

// changeInTurn is called by the holder of the turn, so that the image has all
// that was appended before.
func (c *Controller) changeInTurn(plan func(*metadata.Image) []metadata.Record) error {
	epoch, err := c.leadingEpoch()
	if err != nil {
		return err
	}
	records := plan(c.Image())
	if len(records) == 0 {
		return nil
	}
	entries := make([][]byte, len(records))
	for n, r := range records {
		if entries[n], err = metadata.Encode(r); err != nil {
			return err
		}
	}
	last, err := c.options.Election.Append(c.life, epoch, entries)
	switch {
	case errors.Is(err, election.ErrNotLeader):
		return errNotController
	case err != nil:
		c.taint(epoch, err)
		return err
	}
	return c.wait(c.life, func(p *progress) bool { return p.applied >= last })
}

// leadingEpoch is that under which this broker may plan now.
func (c *Controller) leadingEpoch() (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch p := &c.progress; {
	case p.failed != nil:
		return 0, p.failed
	case !c.leads(p):
		return 0, p.notLeading()
	default:
		return p.leadership.Epoch, nil
	}
}

func (c *Controller) taint(epoch int64, by error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.move(func(p *progress) { p.tainted, p.taintedBy = epoch, by })
}

// notLeading is why a broker that does not lead may plan nothing. If it could but
// for a log that takes no change for now, it is that.
func (p *progress) notLeading() error {
	if p.leadership.Epoch == p.tainted && errors.Is(p.taintedBy, election.ErrStalled) {
		return p.taintedBy
	}
	return errNotController
}
