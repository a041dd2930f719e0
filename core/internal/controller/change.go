package controller

import (
	"context"
	"errors"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// change plans, appends what was planned, and returns when it is applied here.
//
// A caller that gives up does not take the change back: it runs on to its end,
// so that the next one is planned on what truly came of it.
func (c *Controller) change(ctx context.Context, plan func(*metadata.Image) metadata.Plan) ([]metadata.TopicResult, error) {
	select {
	case c.turn <- struct{}{}:
	case <-c.life.Done():
		return nil, errStopped
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type outcome struct {
		results []metadata.TopicResult
		err     error
	}
	ended := make(chan outcome, 1)
	c.running.Go(func() {
		defer func() { <-c.turn }()
		results, err := c.changeInTurn(plan)
		ended <- outcome{results, err}
	})
	select {
	case o := <-ended:
		return o.results, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var (
	errStopped       = module.NewError(module.Retriable, "controller.stopped", "the broker is stopping")
	errNotController = module.NewError(module.Retriable, "controller.not_leading", "this broker is not the controller, or does not know yet all that was written before it was")
)

// changeInTurn is called by the holder of the turn, so that the image has all
// that was appended before.
func (c *Controller) changeInTurn(plan func(*metadata.Image) metadata.Plan) ([]metadata.TopicResult, error) {
	epoch, err := c.leadingEpoch()
	if err != nil {
		return nil, err
	}
	planned := plan(c.Image())
	if len(planned.Records) == 0 {
		return planned.Results, nil
	}
	entries := make([][]byte, len(planned.Records))
	for n, r := range planned.Records {
		if entries[n], err = metadata.Encode(r); err != nil {
			return nil, err
		}
	}
	last, err := c.options.Election.Append(c.life, epoch, entries)
	switch {
	case errors.Is(err, election.ErrNotLeader):
		return nil, errNotController
	case err != nil:
		c.taint(epoch)
		return nil, err
	}
	return planned.Results, c.wait(c.life, func(p *progress) bool { return p.applied >= last })
}

// leadingEpoch is that under which this broker may plan now.
func (c *Controller) leadingEpoch() (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch p := &c.progress; {
	case p.failed != nil:
		return 0, p.failed
	case !c.leads(p):
		return 0, errNotController
	default:
		return p.leadership.Epoch, nil
	}
}

func (c *Controller) taint(epoch int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.move(func(p *progress) { p.tainted = epoch })
}
