package controller

import (
	"fmt"
	"time"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

const (
	// followBytes bounds what is read from the log, and held, at once.
	followBytes = 1 << 20
	// followPause is between an error of the election module that may pass and
	// the next try.
	followPause = 100 * time.Millisecond
)

// follow applies the log until the controller is stopped or the log cannot be
// followed any more.
func (c *Controller) follow() {
	known := election.Leadership{Leader: -1}
	for {
		image := c.image.Load()
		update, err := c.options.Election.Follow(c.life, election.Follow{After: image.Index(), Leadership: known, MaxBytes: followBytes})
		if err == nil {
			known, err = update.Leadership, c.take(image, update)
		}
		switch {
		case c.life.Err() != nil:
			return
		case err == nil:
		case module.ClassOf(err) == module.Retriable:
			c.options.Log.Warn("the metadata log gave no answer, trying again", "error", err)
			// That it ended early, the next Follow tells.
			_ = clock.Wait(c.life, c.options.Clock, followPause)
		default:
			c.fail(err)
			return
		}
	}
}

// take applies an update and shows what came of it.
func (c *Controller) take(old *metadata.Image, update election.Update) error {
	next, size := old, 0
	var err error
	if s := update.Snapshot; s != nil {
		if next, err = metadata.DecodeSnapshot(s.Index, s.State); err != nil {
			return err
		}
		c.snapshot.restored(len(s.State))
	}
	for _, e := range update.Entries {
		record, err := metadata.Decode(e.Data)
		if err != nil {
			return module.Fatalf("metadata record %d: %w", e.Index, err)
		}
		if next, err = metadata.Apply(next, e.Index, record); err != nil {
			return err
		}
		size += len(e.Data)
	}
	c.publish(old, next, update)
	c.snapshotIfDue(next, len(update.Entries), size)
	return nil
}

// publish shows the image to subscribers first: what the image promises, such
// as an open log, is then there when a request finds it in the image.
func (c *Controller) publish(old, next *metadata.Image, update election.Update) {
	c.publishing.Lock()
	defer c.publishing.Unlock()
	if next != old {
		for _, s := range c.subscribers {
			if err := s(old, next); err != nil {
				c.options.Log.Error("a change of the metadata could not be followed in full", "record", next.Index(), "error", err)
			}
		}
		c.image.Store(next)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.move(func(p *progress) {
		p.applied = next.Index()
		if p.leadership != update.Leadership {
			p.leadership, p.catchUp = update.Leadership, update.Committed
			c.options.Log.Info("the controller is elected", "node", update.Leadership.Leader, "epoch", update.Leadership.Epoch)
		}
	})
}

// fail ends the following: the metadata stays as it is, and the broker, which
// would fall behind all others, ends.
func (c *Controller) fail(err error) {
	c.options.Log.Error("the metadata log cannot be followed, and the broker cannot go on without it", "error", err)
	c.mu.Lock()
	c.move(func(p *progress) { p.failed = err })
	c.mu.Unlock()
	if c.options.Failed != nil {
		c.options.Failed(fmt.Errorf("the metadata log cannot be followed: %w", err))
	}
}
