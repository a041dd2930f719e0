package kafka

import (
	"errors"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/storage"
)

// namedTopic is a topic of a request that is decoded where it lies.
type namedTopic struct {
	// name or id is as in the request. name lies in the read buffer until it is
	// detached.
	name []byte
	id   metadata.TopicID
	// topic is nil before resolve, and if there is none.
	topic *partition.Topic
	// The partitions of the request from first up to end are the topic's.
	first, end int
}

// leastTopic is the least that a topic takes: in flexible versions it is a
// name, a count and tags of a byte each.
const leastTopic = 3

// read reads what the version names topics with.
func (t *namedTopic) read(c *cursor, byID bool) {
	if byID {
		t.id = c.uuid()
	} else {
		t.name = c.name()
	}
}

func (t *namedTopic) resolve(partitions *partition.Registry, byID bool) *refusal.Refusal {
	var ok bool
	if byID {
		if t.topic, ok = partitions.TopicByID(t.id); !ok {
			return unknownTopicID
		}
		return nil
	}
	if t.topic, ok = partitions.Topic(t.name); !ok {
		return unknownTopic
	}
	return nil
}

// detach lets the read buffer go.
func (t *namedTopic) detach() {
	if t.topic != nil {
		t.name = nil // appendName has the topic's own
	} else {
		t.name = append([]byte(nil), t.name...)
	}
}

func (t *namedTopic) appendName(b []byte, byID, flexible bool) []byte {
	switch {
	case byID:
		return append(b, t.id[:]...)
	case t.topic != nil:
		return appendText(b, t.topic.Name, flexible)
	}
	return appendText(b, t.name, flexible)
}

// partitionOf finds a partition of the topic that is on this broker.
func partitionOf(t *partition.Topic, number int32) (*partition.Partition, *refusal.Refusal) {
	p, exists := t.Partition(number)
	switch {
	case !exists:
		return nil, unknownPartition
	case p == nil:
		return nil, notHere
	}
	return p, nil
}

// readable finds a partition for a reader that knows its leader by epoch, or
// has [partition.AnyEpoch].
func (b *Backend) readable(topic string, number, epoch int32) (*partition.Partition, *refusal.Refusal) {
	t, ok := b.Partitions.TopicNamed(topic)
	if !ok {
		return nil, unknownTopic
	}
	p, refused := partitionOf(t, number)
	if refused == nil {
		refused = p.MayRead(epoch)
	}
	if refused != nil {
		return nil, refused
	}
	return p, nil
}

// endedMeanwhile is why p may not be read any more, if err says that its log was
// closed while it was; nil for any other error. Its client is told what one is
// that comes after the end.
func endedMeanwhile(p *partition.Partition, err error) *refusal.Refusal {
	if !errors.Is(err, storage.ErrClosed) {
		return nil
	}
	return p.MayRead(partition.AnyEpoch)
}
