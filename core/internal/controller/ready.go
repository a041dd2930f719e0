package controller

import "odradek.dev/sdk/module"

// Ready reports why topics cannot be created now, or nil.
func (c *Controller) Ready() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, registered := c.Image().Broker(c.options.Config.NodeID)
	switch p := &c.progress; {
	case p.failed != nil:
		return p.failed
	case p.leadership.Leader == -1:
		return module.Retriablef("no controller is elected")
	case !registered:
		return module.Retriablef("broker %d is not registered yet", c.options.Config.NodeID)
	case p.leadership.Leader == c.options.Config.NodeID && !c.leads(p):
		return p.notLeading()
	}
	return nil
}
