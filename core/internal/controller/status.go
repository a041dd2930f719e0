package controller

import "odradek.dev/sdk/module"

// Status is for people and metrics.
type Status struct {
	// Leader is the controller's node id, -1 if none is known.
	Leader int32
	Epoch  int64
	// Leads says that this broker is the controller and can change metadata.
	Leads bool
	// Applied is the index of the last record in the image.
	Applied            int64
	Topics, Partitions int
	ClusterID          string
}

// Status returns where the controller stands.
func (c *Controller) Status() Status {
	c.mu.Lock()
	p := c.progress
	leads := c.leads(&p)
	c.mu.Unlock()
	i := c.Image()
	return Status{
		Leader: p.leadership.Leader, Epoch: p.leadership.Epoch, Leads: leads, Applied: i.Index(),
		Topics: i.TopicCount(), Partitions: i.PartitionCount(), ClusterID: i.ClusterID(),
	}
}

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
		return errNotController
	}
	return nil
}
