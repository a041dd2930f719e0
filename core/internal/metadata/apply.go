package metadata

import (
	"maps"
	"slices"

	"odradek.dev/sdk/module"
)

// Apply returns the image after the record at index, which follows the image's
// own without a gap. The image that was given stays as it is. An error is
// fatal: the log holds something that no plan writes.
func Apply(i *Image, index int64, r Record) (*Image, error) {
	if index != i.index+1 {
		return nil, module.Fatalf("metadata record %d was applied after record %d", index, i.index)
	}
	next := *i
	next.index = index
	if err := r.change(&next); err != nil {
		return nil, module.Fatalf("metadata record %d (%s): %w", index, r.kind().name, err)
	}
	return &next, nil
}

func (r *ClusterNamed) change(i *Image) error {
	if i.clusterID != "" || r.ClusterID == "" {
		return module.Fatalf("cluster %q cannot be named %q", i.clusterID, r.ClusterID)
	}
	i.clusterID = r.ClusterID
	return nil
}

func (r *BrokerRegistered) change(i *Image) error {
	b := Broker{ID: r.ID, Rack: r.Rack, Epoch: r.Epoch}
	for _, l := range r.Listeners {
		b.Listeners = append(b.Listeners, Endpoint(l))
	}
	brokers := slices.Clone(i.brokers)
	at, found := findBroker(brokers, b.ID)
	switch {
	case !found:
		brokers = slices.Insert(brokers, at, b)
	case brokers[at].Epoch >= b.Epoch:
		return module.Fatalf("broker %d registers under epoch %d after epoch %d", b.ID, b.Epoch, brokers[at].Epoch)
	default:
		b.Directories = brokers[at].Directories
		brokers[at] = b
	}
	i.brokers = brokers
	return nil
}

func (r *LeaderRestarted) change(i *Image) error {
	byName, byID := i.byName.Txn(), i.byID.Txn()
	for topic := range i.Topics() {
		if raised := topic.withLeaderEpochsRaised(r.Leader); raised != topic {
			byName.Insert([]byte(topic.Name), raised)
			byID.Insert(topic.ID[:], raised)
		}
	}
	i.byName, i.byID = byName.Commit(), byID.Commit()
	i.touchAll()
	return nil
}

// withLeaderEpochsRaised returns t itself if leader leads none of it.
func (t *Topic) withLeaderEpochsRaised(leader int32) *Topic {
	leads := func(p Partition) bool { return p.Record.Leader == leader }
	if !slices.ContainsFunc(t.Partitions, leads) {
		return t
	}
	raised := *t
	raised.Partitions = slices.Clone(t.Partitions)
	for n := range raised.Partitions {
		if leads(raised.Partitions[n]) {
			raised.Partitions[n].Record.LeaderEpoch++
			raised.Partitions[n].Record.Version++
		}
	}
	return &raised
}

func (r *TopicCreated) change(i *Image) error {
	if _, taken := i.Topic(r.Name); taken {
		return module.Fatalf("topic %q is there already", r.Name)
	}
	if _, taken := i.TopicByID(r.TopicID); taken || r.TopicID == (TopicID{}) {
		return module.Fatalf("topic id %s of %q is not free", r.TopicID, r.Name)
	}
	topic := &Topic{Name: r.Name, ID: r.TopicID, Strategy: r.Strategy, Configs: maps.Clone(r.Configs)}
	topic.Partitions = appendStates(nil, r.Partitions)
	i.put(topic)
	if confusing(r.Name) {
		i.confusable, _, _ = i.confusable.Insert(looksLike(r.Name), r.Name)
	}
	return nil
}

func (r *PartitionsAdded) change(i *Image) error {
	return i.alter(r.TopicID, func(t *Topic) error {
		t.Partitions = appendStates(slices.Clip(t.Partitions), r.Partitions)
		return nil
	})
}

func (r *PartitionChanged) change(i *Image) error {
	return i.alter(r.TopicID, func(t *Topic) error {
		if r.Partition < 0 || int(r.Partition) >= len(t.Partitions) {
			return module.Fatalf("topic %q has no partition %d", t.Name, r.Partition)
		}
		if before := t.Partitions[r.Partition].Record.Version; r.State.Version != before+1 {
			return module.Fatalf("partition %s-%d goes from version %d to %d", t.Name, r.Partition, before, r.State.Version)
		}
		t.Partitions = slices.Clone(t.Partitions)
		t.Partitions[r.Partition] = r.State.partition()
		return nil
	})
}

func (r *TopicConfigured) change(i *Image) error {
	return i.alter(r.TopicID, func(t *Topic) error {
		t.Configs = maps.Clone(r.Configs)
		if r.MinInSync > 0 {
			*t = *t.withMinInSync(r.MinInSync)
		}
		return nil
	})
}

func (r *TopicDeleted) change(i *Image) error {
	topic, found := i.TopicByID(r.TopicID)
	if !found {
		return module.Fatalf("there is no topic with id %s", r.TopicID)
	}
	i.byName, _, _ = i.byName.Delete([]byte(topic.Name))
	i.byID, _, _ = i.byID.Delete(topic.ID[:])
	i.touch(topic.Name)
	if confusing(topic.Name) {
		i.confusable, _, _ = i.confusable.Delete(looksLike(topic.Name))
	}
	return nil
}

func (r *ProducerIDsAllocated) change(i *Image) error {
	if r.First != i.nextProducerID || r.Next <= r.First {
		return module.Fatalf("producer ids %d to %d do not follow %d", r.First, r.Next, i.nextProducerID)
	}
	i.nextProducerID = r.Next
	return nil
}

// alter replaces a topic by a copy that change was made to.
func (i *Image) alter(id TopicID, change func(*Topic) error) error {
	topic, found := i.TopicByID(id)
	if !found {
		return module.Fatalf("there is no topic with id %s", id)
	}
	changed := *topic
	if err := change(&changed); err != nil {
		return err
	}
	i.put(&changed)
	return nil
}

func (i *Image) put(t *Topic) {
	i.byName, _, _ = i.byName.Insert([]byte(t.Name), t)
	i.byID, _, _ = i.byID.Insert(t.ID[:], t)
	i.touch(t.Name)
}

func appendStates(to []Partition, states []partitionState) []Partition {
	to = slices.Grow(to, len(states))
	for _, s := range states {
		to = append(to, s.partition())
	}
	return to
}
